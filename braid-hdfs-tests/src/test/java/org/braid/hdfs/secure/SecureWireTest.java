package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.code.Gf256;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * With encrypted data transfer no byte of a file, and no multiple of one, passes in plain. {@link
 * WireTest} shows that the same look sees them without encryption.
 */
@Tag("kerberos")
final class SecureWireTest {
  private static final Random RANDOM = Seeds.random(SecureWireTest.class);

  private static SecureCluster cluster;
  private static UserGroupInformation alice;
  private static byte[] marker;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.shared();
    alice = cluster.realm.user("alice");
    marker = new byte[Wire.MARKER];
    RANDOM.nextBytes(marker);
  }

  @AfterEach
  void heal() throws Exception {
    Wire.stop();
    cluster.heal();
  }

  /** Zeros but for the middle block: whatever is computed of the stripe is a multiple of it. */
  static byte[] content(byte[] marker) {
    byte[] content = new byte[3 * SecureCluster.BLOCK];
    for (int i = SecureCluster.BLOCK; i < 2 * SecureCluster.BLOCK; i++) {
      content[i] = marker[i % marker.length];
    }
    return content;
  }

  /**
   * Asserts that nothing that passed is of the file.
   *
   * @return bytes that went through ports for streams
   */
  private static long encrypted(Map<Integer, List<byte[]>> passed) {
    Set<Integer> others = Wire.portsOfHdfs(cluster.hdfs);
    long streamed = 0;
    for (Map.Entry<Integer, List<byte[]>> port : passed.entrySet()) {
      for (byte[] bytes : port.getValue()) {
        assertFalse(Wire.shows(bytes, marker), "bytes of the file at port " + port.getKey());
        streamed += others.contains(port.getKey()) ? 0 : bytes.length;
      }
    }
    return streamed;
  }

  @Test
  void conversionReadsAndRepairsAreEncrypted() throws Exception {
    String path = "/wire/f";
    SecureCluster.as(alice, () -> cluster.write(path, content(marker)));
    Wire.record();
    cluster.convert(path);
    long streamed = encrypted(Wire.stop());
    cluster.hdfs.stopNode(cluster.nodeOf(path));
    Wire.record();
    SecureCluster.as(
        alice,
        () -> {
          try (FileSystem fs = cluster.degraded()) {
            cluster.assertReads(fs, path);
          }
        });
    streamed += encrypted(Wire.stop());
    Wire.record();
    cluster.repair();
    streamed += encrypted(Wire.stop());
    // What passed there was seen, and not only missed.
    assertTrue(streamed > 3 * SecureCluster.BLOCK, "streams carried " + streamed + " bytes");
  }

  @Test
  void theLookFindsMultiples() {
    byte[] plain = new byte[100];
    for (int i = 0; i < Wire.MARKER; i++) {
      plain[37 + i] = (byte) Gf256.multiply(0x53, marker[i] & 0xff);
    }
    assertTrue(Wire.shows(plain, marker));
    assertFalse(Wire.shows(Arrays.copyOf(plain, 40), marker));
  }
}
