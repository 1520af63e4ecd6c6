package org.braid.hdfs.stripe;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A number that two lists of DataNodes share only when they have the same nodes, in the same racks,
 * and the same of them in service: the sum of the numbers of the nodes.
 */
public final class NodesDigest {
  private NodesDigest() {}

  /** The number of one node. */
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

  /** The number of some nodes, in whatever order. */
  public static long of(Iterable<Datanode> nodes) {
    long sum = 0;
    for (Datanode node : nodes) {
      sum += of(node.uuid(), node.rack(), node.inService());
    }
    return sum;
  }
}
