package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The copy that a conversion makes at a block's new home is not what HDFS takes for surplus. */
final class AwaitedHomesTest {
  private static final int NODES = 12;

  /** Each time HDFS's own choice may be another copy. */
  private static final int FILES = 8;

  @TempDir static Path directory;

  /** Of copies on two racks HDFS chooses among all of a rack, also those it is not to choose. */
  @Test
  void theCopyAtHomeStaysWhereCopiesAreOnTwoRacks() throws Exception {
    try (NameNodeFixture fixture =
        NameNodeFixture.start(
            directory,
            4,
            NODES,
            Map.of("dfs.datanode.plugins", BraidDataNodePlugin.class.getName()))) {
      for (int f = 0; f < FILES; f++) {
        int copies = 2 + f % 2;
        FileProto file = fixture.write("/f" + f, 2, copies);
        long block = file.getBlocks(0).getBlock().getId();
        Set<String> before = fixture.copies(block);
        assertEquals(copies, before.size());
        Set<String> racks = before.stream().map(fixture::rack).collect(Collectors.toSet());
        assertEquals(2, racks.size());
        int to =
            IntStream.range(0, NODES)
                .filter(i -> !before.contains(fixture.cluster.uuid(i)))
                .filter(i -> racks.contains(fixture.rack(fixture.cluster.uuid(i))))
                .findFirst()
                .orElseThrow();
        String home = fixture.cluster.uuid(to);
        fixture.stage(
            "rs-2-1",
            file.getBlocksList(),
            stripe ->
                stripe.toBuilder()
                    .setMembers(0, stripe.getMembers(0).toBuilder().setHome(home))
                    .build());
        int from = fixture.cluster.indexOf(before.iterator().next()).orElseThrow();
        fixture.addReplica(from, to, StripeCodec.of(file.getBlocks(0).getBlock()));
        Await.until("one copy to go", () -> fixture.copies(block).size() == copies);
        Set<String> after = fixture.copies(block);
        assertTrue(after.contains(home), "the copy at home went");
        assertEquals(racks, after.stream().map(fixture::rack).collect(Collectors.toSet()));
      }
    }
  }
}
