package org.braid.code.hitchhiker;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;

/**
 * The parameters of a {@link HitchhikerXor} code.
 *
 * @param k data blocks, at least m - 1, so that no group is empty
 * @param m parity blocks, at least 2; k + m is at most 255
 */
public record HitchhikerSettings(int k, int m) {

  public HitchhikerSettings {
    require(
        m >= 2,
        "m = " + m + ", Hitchhiker-XOR needs at least 2 parity blocks, one of them to carry sums");
    require(
        k >= 1 && k >= m - 1,
        "k = " + k + ", Hitchhiker-XOR needs k >= m - 1 = " + (m - 1) + " data blocks");
    requireBlocks("k + m", (long) k + m, "Hitchhiker-XOR over GF(2^8)");
  }

  /** The parity, 1..m-1, whose second half carries the first half of a data block. */
  int carrier(int block) {
    int j = 1;
    while (block >= k * j / (m - 1)) {
      j++;
    }
    return j;
  }
}
