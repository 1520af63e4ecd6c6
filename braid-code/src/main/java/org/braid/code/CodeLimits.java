package org.braid.code;

/** Limits that all families with sub-blocks share. */
public final class CodeLimits {
  /** The largest generator, in bytes: whoever uses a code holds it in memory. */
  public static final int MAX_GENERATOR_BYTES = 16 << 20;

  private CodeLimits() {}

  /**
   * Refuses a code whose generator is too large.
   *
   * @param what the code, for the message
   * @param n blocks of a stripe
   * @param k data blocks of a stripe
   * @param alpha sub-blocks of a block
   * @throws IllegalArgumentException with the numbers
   */
  public static void checkGenerator(String what, int n, int k, int alpha) {
    long bytes = (long) n * alpha * k * alpha;
    if (bytes > MAX_GENERATOR_BYTES) {
      throw new IllegalArgumentException(
          "n alpha k alpha = "
              + bytes
              + " with n = "
              + n
              + ", k = "
              + k
              + ", alpha = "
              + alpha
              + ": the generator of "
              + what
              + " may have at most "
              + MAX_GENERATOR_BYTES
              + " coefficients");
    }
  }
}
