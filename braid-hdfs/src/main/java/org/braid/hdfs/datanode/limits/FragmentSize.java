package org.braid.hdfs.datanode.limits;

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;

/**
 * Limits the size of a fragment of a user who is not a superuser. A running fragment holds a
 * thread, buffers and, if it uses no network, a processor, and only its user knows its name to
 * cancel it. Readers need less: the block range that they rebuild at once fits into an array.
 */
public final class FragmentSize {
  /** A stripe has no more blocks. */
  private static final int MOST_PEERS = 255;

  /** Maximum bytes of each value. */
  static final long LONGEST = Integer.MAX_VALUE;

  /** Maximum number of slices of each value, or of cells if these are shorter. */
  static final int MOST_PIECES = 1 << 20;

  /**
   * Maximum number of operations and of their values: each value has a buffer, however short it is.
   */
  static final int MOST_VALUES = 16 << 10;

  /** Maximum number of coefficients in all combinations: a kernel has a table for each. */
  static final int MOST_COEFFICIENTS = 1 << 20;

  /**
   * Maximum number of bytes to produce or multiply, which keeps a processor busy for about an hour.
   */
  static final long MOST_WORK = 1L << 43;

  /** Maximum number of replicas to read: each has open files. */
  static final int MOST_REPLICAS = 16;

  private FragmentSize() {}

  /**
   * Refuses a fragment that is too large.
   *
   * @throws AccessControlException with the numbers
   */
  public static void check(String user, ExecuteRequestProto request) throws AccessControlException {
    check(user, request.getPeersCount(), "peers", MOST_PEERS);
    check(user, request.getLength(), "bytes a value", LONGEST);
    check(user, pieces(request), "pieces a value", MOST_PIECES);
    check(user, request.getOpsCount(), "operations", MOST_VALUES);
    long values = 0;
    long coefficients = 0;
    long reads = 0;
    Set<Integer> blocks = new HashSet<>();
    for (OpProto op : request.getOpsList()) {
      if (op.hasRead()) {
        reads++;
        blocks.add(op.getRead().getSource().getBlock());
      }
      values += op.hasCombine() ? op.getCombine().getOutputsCount() : 1;
      coefficients += op.getCombine().getCoefficients().size();
    }
    check(user, values, "values", MOST_VALUES);
    check(user, coefficients, "coefficients", MOST_COEFFICIENTS);
    check(user, (values + coefficients) * request.getLength(), "bytes to compute", MOST_WORK);
    // Sub-blocks of a block are read off one replica.
    check(user, hasSubBlocks(request) ? blocks.size() : reads, "replicas to read", MOST_REPLICAS);
  }

  private static long pieces(ExecuteRequestProto request) {
    long piece = request.getSlice();
    if (hasSubBlocks(request)) {
      piece = Math.min(piece, request.getCells().getCell());
    }
    return request.getLength() / Math.max(1, piece); // who decodes it says what is wrong with it
  }

  private static boolean hasSubBlocks(ExecuteRequestProto request) {
    return request.hasCells() && request.getCells().getAlpha() > 1;
  }

  private static void check(String user, long number, String what, long most)
      throws AccessControlException {
    if (number > most) {
      throw new AccessControlException(
          "%s is no superuser: may not run a fragment of %d %s, at most %d are allowed"
              .formatted(user, number, what, most));
    }
  }
}
