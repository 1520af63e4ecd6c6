package org.braid.code.rotated;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;
import static org.braid.code.Checks.requireGenerator;

import org.braid.code.Promises;

/**
 * The parameters of a {@link RotatedReedSolomon} code.
 *
 * @param k data blocks, at least 1
 * @param m parity blocks, at least 1; k + m is at most 255
 * @param r sub-blocks of a block, 1 to 64; when it is not a power of two, at most 16, and stripes
 *     have at most 20,000 patterns of m losses
 */
public record RotatedRsSettings(int k, int m, int r) {
  private static final int MAX_ROWS = 64;
  private static final int MAX_OTHER_ROWS = 16;
  private static final long MAX_PATTERNS = 20_000;

  public RotatedRsSettings {
    require(k >= 1, "k = " + k + ", Rotated Reed-Solomon needs at least 1 data block");
    require(m >= 1, "m = " + m + ", Rotated Reed-Solomon needs at least 1 parity block");
    requireBlocks("k + m", (long) k + m, "Rotated Reed-Solomon over GF(2^8)");
    require(
        r >= 1 && r <= MAX_ROWS,
        "r = " + r + ", Rotated Reed-Solomon takes 1 to " + MAX_ROWS + " sub-blocks");
    if (Integer.bitCount(r) != 1) {
      require(
          r <= MAX_OTHER_ROWS,
          "r = "
              + r
              + ", above "
              + MAX_OTHER_ROWS
              + " sub-blocks it must be a power of two, such as "
              + Integer.highestOneBit(r));
      long patterns = new Promises.Combinations(k + m, m).count();
      require(
          patterns <= MAX_PATTERNS,
          "k = "
              + k
              + ", m = "
              + m
              + ": with r = "
              + r
              + " each of "
              + patterns
              + " patterns of m losses would have to be tried, at most "
              + MAX_PATTERNS
              + " are; with r a power of two none needs to be");
    }
    requireGenerator("Rotated Reed-Solomon", k + m, k, r);
  }

  /** The first data block that parity j, 0..m, does not rotate, which is the first of group j. */
  int boundary(int j) {
    return k * j / m;
  }

  /** The row of data block i that parity j uses in its row b. */
  int rowOf(int j, int b, int i) {
    return i < boundary(j) ? (b + 1) % r : b;
  }
}
