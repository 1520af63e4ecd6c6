package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrimTest {
  @TempDir static Path directory;
  private static Bed bed;

  @BeforeAll
  static void start() throws Exception {
    bed = Bed.start(directory, 5, 10, Map.of());
  }

  @AfterAll
  static void stop() throws Exception {
    bed.close();
  }

  @Test
  void keepsExactlyTheHomesOfFortyBlocks() throws Exception {
    Map<Long, String> homes = new HashMap<>();
    List<StripeProto> stripes = new ArrayList<>();
    FileProto file = bed.write("/exact", 40, 3);
    for (int s = 0; s < 20; s++) {
      stripes.add(bed.publish("rs-2-2", file.getBlocksList().subList(2 * s, 2 * s + 2), x -> x));
    }
    for (StripeProto stripe : stripes) {
      assertEquals(List.of(), bed.trim(stripe.getId()));
      stripe.getMembersList().forEach(m -> homes.put(m.getBlock().getId(), m.getHome()));
    }
    assertEquals(80, homes.size());
    for (var home : homes.entrySet()) {
      assertEquals(Set.of(home.getValue()), bed.holders(home.getKey()));
      Await.until(
          "one copy of blk_" + home.getKey(),
          () -> bed.copies(home.getKey()).equals(Set.of(home.getValue())));
    }
    // Again: nothing to do, nothing lost.
    assertEquals(List.of(), bed.trim(stripes.get(0).getId()));
    assertTrue(bed.fs.setReplication(new org.apache.hadoop.fs.Path("/exact"), (short) 1));
    bed.restart();
    for (var home : homes.entrySet()) {
      Await.until(
          "one replica of blk_" + home.getKey() + " after a restart",
          () -> bed.holders(home.getKey()).equals(Set.of(home.getValue())));
    }
  }
}
