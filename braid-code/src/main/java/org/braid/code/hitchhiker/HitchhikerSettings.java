package org.braid.code.hitchhiker;

/**
 * The parameters of a {@link HitchhikerXor} code.
 *
 * @param k data blocks, at least m - 1, so that no group is empty
 * @param m parity blocks, at least 2; k + m is at most 255
 */
public record HitchhikerSettings(int k, int m) {
  private static final int MAX_BLOCKS = 255;

  public HitchhikerSettings {
    check(
        m >= 2,
        "m = " + m + ", Hitchhiker-XOR needs at least 2 parity blocks, one of them to carry sums");
    check(
        k >= 1 && k >= m - 1,
        "k = " + k + ", Hitchhiker-XOR needs k >= m - 1 = " + (m - 1) + " data blocks");
    check(
        (long) k + m <= MAX_BLOCKS,
        "k + m = "
            + ((long) k + m)
            + ", Hitchhiker-XOR over GF(2^8) takes at most "
            + MAX_BLOCKS
            + " blocks");
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /** The parity, 1..m-1, whose second half carries a data block's first half. */
  int carrier(int block) {
    int j = 1;
    while (block >= k * j / (m - 1)) {
      j++;
    }
    return j;
  }
}
