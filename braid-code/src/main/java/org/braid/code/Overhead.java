package org.braid.code;

/** How much is stored, as a multiple of the data. */
public final class Overhead {
  private Overhead() {}

  /** Blocks stored for each data block: n / k. */
  public static double of(ErasureCode code) {
    return replicatedParity(code, 1);
  }

  /**
   * Blocks stored for each data block when every parity is kept several times and the data once, (k
   * + p*m) / k (Geo-MXOR §V-D, table II).
   *
   * @param copies copies of each parity block, p, at least 1
   */
  public static double replicatedParity(ErasureCode code, int copies) {
    if (copies < 1) {
      throw new IllegalArgumentException(copies + " copies of each parity block, needs at least 1");
    }
    return (code.k() + (double) copies * code.m()) / code.k();
  }
}
