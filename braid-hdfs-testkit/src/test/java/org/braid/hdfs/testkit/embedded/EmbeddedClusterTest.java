package org.braid.hdfs.testkit.embedded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
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
        for (var location : fs.getFileBlockLocations(path, 0, content.length)) {
          long racks =
              java.util.Arrays.stream(location.getTopologyPaths())
                  .map(p -> p.substring(0, p.indexOf('/', 1)))
                  .distinct()
                  .count();
          assertEquals(2, racks);
        }
      }
      cluster.stopNode(2);
      cluster.awaitDead(2);
      cluster.restartNameNode();
      cluster.startNode(2);
      cluster.awaitNodes();
      try (DistributedFileSystem fs = cluster.fileSystem();
          FSDataInputStream in = fs.open(path)) {
        byte[] read = new byte[content.length];
        in.readFully(0, read);
        assertArrayEquals(content, read);
      }
    }
  }
}
