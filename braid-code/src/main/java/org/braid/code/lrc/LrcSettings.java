package org.braid.code.lrc;

import org.braid.code.ErasureCode;

/**
 * The parameters of a {@link LocalReconstruction} code.
 *
 * @param k data blocks, a multiple of l
 * @param l local groups and local parities, at least 1
 * @param g global parities, at least 1; k + l + g is at most 255
 */
public record LrcSettings(int k, int l, int g) {
  public LrcSettings {
    if (k < 1) {
      throw new IllegalArgumentException("k = " + k + ", an LRC needs at least 1 data block");
    }
    if (l < 1) {
      throw new IllegalArgumentException("l = " + l + ", an LRC needs at least 1 local parity");
    }
    if (g < 1) {
      throw new IllegalArgumentException("g = " + g + ", an LRC needs at least 1 global parity");
    }
    if (k % l != 0) {
      throw new IllegalArgumentException(
          "k = "
              + k
              + " is not a multiple of l = "
              + l
              + ", but all local groups of an LRC have k/l data blocks");
    }
    // as long: the sum of ints near the maximum must not pass as negative
    long blocks = (long) k + l + g;
    if (blocks > ErasureCode.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "k + l + g = "
              + blocks
              + ", an LRC over GF(2^8) takes at most "
              + ErasureCode.MAX_BLOCKS
              + " blocks");
    }
  }

  /** Data blocks of a local group. */
  public int groupSize() {
    return k / l;
  }

  /** Blocks of a stripe. */
  public int n() {
    return k + l + g;
  }
}
