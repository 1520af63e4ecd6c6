package org.braid.code.mxor;

import org.braid.code.ErasureCode;

/**
 * The parameters of a {@link MultiXor} code.
 *
 * @param k data blocks, 2 rows of c, even and at least 4
 * @param parities c vertical and 2 horizontal ones; k + parities is at most 255
 */
public record MxorSettings(int k, int parities) {
  public MxorSettings {
    if (k < 4 || k % 2 != 0) {
      throw new IllegalArgumentException(
          "k = " + k + ", an array of 2 rows and c >= 2 columns has 2c = 4, 6, 8... data blocks");
    }
    if (parities != k / 2 + 2) {
      throw new IllegalArgumentException(
          "P = "
              + parities
              + ", but "
              + k
              + " data blocks make c + 2 = "
              + (k / 2 + 2)
              + " parities, "
              + k / 2
              + " vertical and 2 horizontal");
    }
    if ((long) k + parities > ErasureCode.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "k + P = "
              + ((long) k + parities)
              + ", a stripe takes at most "
              + ErasureCode.MAX_BLOCKS
              + " blocks");
    }
  }

  /** Columns of the array, c. */
  public int columns() {
    return k / 2;
  }
}
