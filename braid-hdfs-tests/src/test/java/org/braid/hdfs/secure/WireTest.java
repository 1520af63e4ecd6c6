package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without encryption the look of {@link SecureWireTest} sees a file's bytes wherever they pass. */
final class WireTest {
  private static final String FILE = "/wire/f";

  @Test
  void plainBytesAreSeen(@TempDir Path directory) throws Exception {
    Random random = Seeds.random(WireTest.class);
    byte[] marker = new byte[Wire.MARKER];
    random.nextBytes(marker);
    byte[] content = SecureWireTest.content(marker);
    Map<String, String> recorded =
        Map.of("hadoop.rpc.socket.factory.class.default", Wire.class.getName());
    try (EmbeddedCluster hdfs =
        EmbeddedCluster.start(
            new EmbeddedSettings(3, 6, SecureCluster.BLOCK, directory, recorded))) {
      Wire.record();
      try (DistributedFileSystem fs = hdfs.fileSystem();
          FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(FILE), (short) 3)) {
        out.write(content);
      }
      assertSeen(Wire.stop(), marker, Set.of());
      Set<Integer> notStreams = Wire.portsOfHdfs(hdfs);
      Wire.record();
      try (Cluster braid =
          Braid.connect(
              new Connection(Optional.of(hdfs.uri()), List.of(), hdfs.clientProperties()))) {
        assertEquals(List.of(), braid.convert(SecureCluster.request(FILE)).skipped());
      }
      assertSeen(Wire.stop(), marker, notStreams);
    }
  }

  /** Asserts that the file's bytes passed at a port beside those that are left out. */
  private static void assertSeen(
      Map<Integer, List<byte[]>> passed, byte[] marker, Set<Integer> leftOut) {
    assertTrue(
        passed.entrySet().stream()
            .filter(port -> !leftOut.contains(port.getKey()))
            .flatMap(port -> port.getValue().stream())
            .anyMatch(bytes -> Wire.shows(bytes, marker)),
        "nothing seen at " + passed.keySet() + " beside " + leftOut);
  }
}
