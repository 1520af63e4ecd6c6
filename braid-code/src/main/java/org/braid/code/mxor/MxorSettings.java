package org.braid.code.mxor;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;

/**
 * The parameters of a {@link MultiXor} code.
 *
 * @param k data blocks, 2 rows of c, even and at least 4
 * @param parities c vertical and 2 horizontal ones; k + parities is at most 255
 */
public record MxorSettings(int k, int parities) {
  public MxorSettings {
    require(
        k >= 4 && k % 2 == 0,
        "k = " + k + ", an array of 2 rows and c >= 2 columns has 2c = 4, 6, 8... data blocks");
    require(
        parities == k / 2 + 2,
        "P = "
            + parities
            + ", but "
            + k
            + " data blocks make c + 2 = "
            + (k / 2 + 2)
            + " parities, "
            + k / 2
            + " vertical and 2 horizontal");
    requireBlocks("k + P", (long) k + parities, "a stripe");
  }

  /** Columns of the array, c. */
  public int columns() {
    return k / 2;
  }
}
