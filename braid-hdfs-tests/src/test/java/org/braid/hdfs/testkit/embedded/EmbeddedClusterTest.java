package org.braid.hdfs.testkit.embedded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.namenode.host.NodeExpiry;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedClusterTest {
  @TempDir Path directory;

  @Test
  void storesFilesOverRacksAndSurvivesRestarts() throws Exception {
    byte[] content = new byte[5000];
    new java.util.Random(1).nextBytes(content);
    var path = new org.apache.hadoop.fs.Path("/f");
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(new EmbeddedSettings(3, 6, 1024, directory, Map.of()))) {
      try (DistributedFileSystem fs = cluster.fileSystem()) {
        try (FSDataOutputStream out = fs.create(path)) {
          out.write(content);
        }
        // A file is closed once one replica of each block was reported.
        Await.until(
            "blocks in two racks each",
            () -> racks(fs.getFileBlockLocations(path, 0, content.length)),
            racks -> racks.equals(List.of(2L, 2L, 2L, 2L, 2L)));
      }
      cluster.stopNode(2);
      cluster.awaitDead(2);
      cluster.restartNameNode();
      long expiry = NodeExpiry.millis(cluster.nameNode().getConf());
      cluster.awaitDead(2); // which the NameNode does not know
      assertEquals(0, NodeExpiry.millis(cluster.nameNode().getConf()));
      cluster.startNode(2);
      cluster.awaitNodes();
      assertTrue(expiry > 0);
      assertEquals(expiry, NodeExpiry.millis(cluster.nameNode().getConf()));
      try (DistributedFileSystem fs = cluster.fileSystem();
          FSDataInputStream in = fs.open(path)) {
        byte[] read = new byte[content.length];
        in.readFully(0, read);
        assertArrayEquals(content, read);
      }
    }
  }

  /** Otherwise a run with other locks would say nothing of them. */
  @Test
  void takesTheLocksThatAreAskedFor() {
    String asked = System.getProperty(EmbeddedLocks.PROPERTY, "global");
    Configuration conf =
        EmbeddedCluster.configuration(new EmbeddedSettings(1, 1, 512, directory, Map.of()));
    assertEquals(asked.equals("fine"), conf.get(EmbeddedLocks.KEY, "").contains("FineGrained"));
    Configuration bare = new Configuration(false);
    EmbeddedLocks.configure(bare, "global");
    assertNull(bare.get(EmbeddedLocks.KEY));
    if (EmbeddedLocks.finest().isEmpty()) {
      assertRefused(bare, "fine", "Hadoop " + VersionInfo.getVersion() + " has one lock for files");
    } else {
      EmbeddedLocks.configure(bare, "fine");
      assertEquals(EmbeddedLocks.finest().get(EmbeddedLocks.KEY), bare.get(EmbeddedLocks.KEY));
    }
    assertRefused(bare, "two", "-Dbraid.lock=two: neither global nor fine");
  }

  private static void assertRefused(Configuration conf, String locks, String why) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> EmbeddedLocks.configure(conf, locks));
    assertTrue(String.valueOf(e.getMessage()).contains(why), e.getMessage());
  }

  private static List<Long> racks(BlockLocation[] blocks) throws IOException {
    List<Long> racks = new ArrayList<>();
    for (BlockLocation block : blocks) {
      racks.add(
          Arrays.stream(block.getTopologyPaths())
              .map(place -> place.substring(0, place.indexOf('/', 1)))
              .distinct()
              .count());
    }
    return racks;
  }
}
