package org.braid.code.xorbas;

import org.braid.code.ErasureCode;

/**
 * The parameters of a {@link Xorbas} code.
 *
 * @param k data blocks, at least 2 groups of r
 * @param parities Reed-Solomon parities, at least 1, and one local parity a group; at most r + 1
 *     all together; k + parities is at most 255
 * @param r data blocks of a group, and the most blocks that the repair of one block reads
 */
public record XorbasSettings(int k, int parities, int r) {
  public XorbasSettings {
    if (r < 1) {
      throw new IllegalArgumentException("R = " + r + ", a group needs at least 1 data block");
    }
    if (k < 1 || k % r != 0) {
      throw new IllegalArgumentException(
          "k = " + k + " data blocks do not make whole groups of R = " + r);
    }
    int groups = k / r;
    if (groups < 2) {
      throw new IllegalArgumentException(
          "k / R = 1 group, Xorbas needs at least 2: the local parity of the only group would be"
              + " the sum of the other parities; rs-K-M has no local parity");
    }
    if (parities <= groups) {
      throw new IllegalArgumentException(
          "P = "
              + parities
              + " parities, but k / R = "
              + groups
              + " are local ones and at least 1 more is Reed-Solomon's");
    }
    if (parities - 1 > r) {
      throw new IllegalArgumentException(
          "P - 1 = "
              + (parities - 1)
              + " > R = "
              + r
              + ": a lost parity is repaired from the other P - 1, which must not be more than R;"
              + " take larger groups or fewer parities");
    }
    if ((long) k + parities > ErasureCode.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "k + P = "
              + ((long) k + parities)
              + ", Xorbas over GF(2^8) takes at most "
              + ErasureCode.MAX_BLOCKS
              + " blocks");
    }
  }

  /** Groups of data blocks, which is the number of stored local parities, L. */
  public int groups() {
    return k / r;
  }

  /** Reed-Solomon parities, m. */
  public int globals() {
    return parities - groups();
  }
}
