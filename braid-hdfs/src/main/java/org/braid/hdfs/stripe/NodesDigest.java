package org.braid.hdfs.stripe;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A digest of a list of DataNodes. Two lists have the same digest only if they have the same nodes,
 * in the same racks and in the same state of service. It is the sum of the nodes' digests.
 */
public final class NodesDigest {
  private NodesDigest() {}

  /** The digest of one node. */
  public static long of(String uuid, String rack, boolean inService) {
    String text = uuid + "\n" + rack + "\n" + inService;
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(hash).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // each Java has it
    }
  }

  /** The digest of nodes, in any order. */
  public static long of(Iterable<Datanode> nodes) {
    long sum = 0;
    for (Datanode node : nodes) {
      sum += of(node.uuid(), node.rack(), node.inService());
    }
    return sum;
  }
}
