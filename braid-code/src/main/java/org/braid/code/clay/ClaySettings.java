package org.braid.code.clay;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireGenerator;

import org.braid.code.StripeSize;

/**
 * The parameters of a {@link Clay} code.
 *
 * @param k data blocks, at least 1
 * @param m parity blocks, at least 2
 * @param d helpers of a repair, k + 1 to k + m - 1
 */
public record ClaySettings(int k, int m, int d) {
  private static final int MAX_NODES = 255;
  private static final int MAX_ALPHA = 256;

  public ClaySettings {
    require(k >= 1, "k = " + k + ", a Clay code needs at least 1 data block");
    require(m >= 2, "m = " + m + ", a Clay code needs at least 2 parity blocks");
    require(
        d > k && d <= (long) k + m - 1,
        "d = "
            + d
            + ", a Clay code needs k + 1 <= d <= k + m - 1, that is "
            + (k + 1L)
            + " to "
            + ((long) k + m - 1));
    require(
        nodes(k, m, d) <= MAX_NODES,
        "k + m = "
            + ((long) k + m)
            + " rounded up to "
            + nodes(k, m, d)
            + ", a multiple of q = d - k + 1 = "
            + (d - k + 1)
            + ": a Clay code over GF(2^8) takes at most "
            + MAX_NODES
            + " nodes");
    long alpha = 1;
    int q = d - k + 1;
    long t = nodes(k, m, d) / q;
    for (int y = 0; y < t && alpha <= MAX_ALPHA; y++) {
      alpha *= q;
    }
    require(
        alpha <= MAX_ALPHA,
        "q = d - k + 1 = "
            + q
            + ", t = ceil((k + m) / q) = "
            + t
            + ": alpha = "
            + q
            + "^"
            + t
            + " sub-blocks, at most "
            + MAX_ALPHA
            + " are taken");
    requireGenerator("a Clay code", k + m, k, (int) alpha);
  }

  /** The size of a stripe, also for parameters that are not valid. */
  static StripeSize size(long k, long m, long d) {
    long q = d - k + 1;
    long alpha = 1;
    if (q > 1) {
      long t = nodes(k, m, d) / q;
      for (long y = 0; y < t && alpha <= MAX_ALPHA; y++) {
        alpha *= q;
      }
    }
    return StripeSize.of(k + m, alpha);
  }

  private static long nodes(long k, long m, long d) {
    long q = d - k + 1;
    return (k + m + q - 1) / q * q;
  }

  /** Nodes of a column; a repair reads 1/q of each helper. */
  public int q() {
    return d - k + 1;
  }

  /** Columns of the grid. */
  public int t() {
    return nodes() / q();
  }

  /** Nodes of the grid, including virtual ones. */
  public int nodes() {
    return (int) nodes(k, m, d);
  }

  /** Virtual nodes, which hold zeros and are not stored. */
  public int virtual() {
    return nodes() - k - m;
  }

  /** Sub-blocks of a block: the planes. */
  public int alpha() {
    int alpha = 1;
    for (int y = 0; y < t(); y++) {
      alpha *= q();
    }
    return alpha;
  }
}
