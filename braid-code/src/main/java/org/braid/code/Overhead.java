package org.braid.code;

/** Storage overhead: stored bytes as a multiple of the data. */
public final class Overhead {
  private Overhead() {}

  /** Blocks stored for each data block: n / k. */
  public static double of(ErasureCode code) {
    return replicatedParity(code, 1);
  }

  /**
   * Blocks stored for each data block with replicated parity: (k + p*m) / k (Geo-MXOR §V-D, table
   * II).
   *
   * @param copies p, the copies of each parity block, at least 1
   */
  public static double replicatedParity(ErasureCode code, int copies) {
    if (copies < 1) {
      throw new IllegalArgumentException(copies + " copies of each parity block, needs at least 1");
    }
    return (code.k() + (double) copies * code.m()) / code.k();
  }
}
