package org.braid.code;

/** Checks of the arguments of codes. Each throws IllegalArgumentException with the numbers. */
public final class Checks {
  /** The largest generator, in bytes; a code holds its generator in memory. */
  public static final int MAX_GENERATOR_BYTES = 16 << 20;

  private Checks() {}

  /** Requires a condition. */
  public static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /**
   * Requires that a stripe has at most {@link ErasureCode#MAX_BLOCKS} blocks.
   *
   * @param sum the parameters that add up to its blocks, for example {@code k + m}
   * @param blocks their sum; a long, so that large parameters cannot overflow
   * @param what the code, for the message
   */
  public static void requireBlocks(String sum, long blocks, String what) {
    require(
        blocks <= ErasureCode.MAX_BLOCKS,
        "%s = %d, %s takes at most %d blocks".formatted(sum, blocks, what, ErasureCode.MAX_BLOCKS));
  }

  /**
   * Requires that a generator has at most {@link #MAX_GENERATOR_BYTES} coefficients.
   *
   * @param what the code, for the message
   * @param n blocks of a stripe
   * @param k data blocks of a stripe
   * @param alpha sub-blocks of a block
   */
  public static void requireGenerator(String what, int n, int k, int alpha) {
    long bytes = (long) n * alpha * k * alpha;
    require(
        bytes <= MAX_GENERATOR_BYTES,
        "n alpha k alpha = %d with n = %d, k = %d, alpha = %d: the generator of %s may have at most %d coefficients"
            .formatted(bytes, n, k, alpha, what, MAX_GENERATOR_BYTES));
  }

  /** Requires that a position is inside a code's stripe. */
  public static void requirePosition(ErasureCode code, int block) {
    if (block < 0 || block >= code.n()) {
      throw new IllegalArgumentException(
          "block " + block + " is outside a stripe of " + code.name() + ", 0.." + (code.n() - 1));
    }
  }
}
