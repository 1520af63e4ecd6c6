package org.braid.code.xorbas;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;

/**
 * The parameters of a {@link Xorbas} code.
 *
 * @param k data blocks, at least 2 groups of r
 * @param parities Reed-Solomon parities, at least 1, and one local parity for each group; together
 *     at most r + 1; k + parities is at most 255
 * @param r data blocks of a group; repair of one block reads at most r blocks
 */
public record XorbasSettings(int k, int parities, int r) {
  public XorbasSettings {
    require(r >= 1, "R = " + r + ", a group needs at least 1 data block");
    require(k >= 1 && k % r == 0, "k = " + k + " data blocks do not make whole groups of R = " + r);
    int groups = k / r;
    require(
        groups >= 2,
        "k / R = 1 group, Xorbas needs at least 2: the local parity of the only group would be"
            + " the sum of the other parities; rs-K-M has no local parity");
    require(
        parities > groups,
        "P = "
            + parities
            + " parities, but k / R = "
            + groups
            + " are local ones and at least 1 more is Reed-Solomon's");
    require(
        parities - 1 <= r,
        "P - 1 = "
            + (parities - 1)
            + " > R = "
            + r
            + ": a lost parity is repaired from the other P - 1, which must not be more than R;"
            + " take larger groups or fewer parities");
    requireBlocks("k + P", (long) k + parities, "Xorbas over GF(2^8)");
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
