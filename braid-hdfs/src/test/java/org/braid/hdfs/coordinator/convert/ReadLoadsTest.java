package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.braid.hdfs.api.ConvertReport.ReadShare;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.junit.jupiter.api.Test;

final class ReadLoadsTest {
  /** A file of one block. */
  private static StoredFile file(String path, long inode, String... nodes) {
    List<Replica> replicas =
        Arrays.stream(nodes).map(node -> new Replica(node, false, false, true)).toList();
    BlockStatus block =
        new BlockStatus(new BlockIdentity(inode, 1, 100), replicas, nodes.length, true, List.of());
    return FakeFile.at(path, inode)
        .length(100, 100)
        .replication(nodes.length)
        .blocks(block)
        .build();
  }

  @Test
  void sharesAreOfTheFilesThatWereConvertedWhateverStandsAtTheirPaths() {
    ReadLoads.Shares shares = new ReadLoads.Shares();
    shares.add(
        List.of(file("/a", 1, "n0", "n1", "n2", "n3"), file("/left", 2, "n0", "n1")),
        List.of(
            file("/renamed", 1, "n0"),
            file("/a", 3, "n0", "n1", "n2", "n3"),
            file("/left", 2, "n0", "n1")),
        Set.of(1L));
    assertEquals(new ReadShare(0.25, 1, 0.25, 1, 0.125), shares.now(8));
  }
}
