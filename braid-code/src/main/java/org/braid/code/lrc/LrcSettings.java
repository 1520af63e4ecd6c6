package org.braid.code.lrc;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;

/**
 * The parameters of a {@link LocalReconstruction} code.
 *
 * @param k data blocks, a multiple of l
 * @param l local groups and local parities, at least 1
 * @param g global parities, at least 1; k + l + g is at most 255
 */
public record LrcSettings(int k, int l, int g) {
  public LrcSettings {
    require(k >= 1, "k = " + k + ", an LRC needs at least 1 data block");
    require(l >= 1, "l = " + l + ", an LRC needs at least 1 local parity");
    require(g >= 1, "g = " + g + ", an LRC needs at least 1 global parity");
    require(
        k % l == 0,
        "k = "
            + k
            + " is not a multiple of l = "
            + l
            + ", but all local groups of an LRC have k/l data blocks");
    long blocks = (long) k + l + g;
    requireBlocks("k + l + g", blocks, "an LRC over GF(2^8)");
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
