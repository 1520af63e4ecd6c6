package org.braid.code.xor;

import org.braid.code.ErasureCode;

/**
 * The parameters of {@link SingleParity}.
 *
 * @param k data blocks, at least 1
 * @param m parity blocks, always 1; k + m is at most 255
 */
public record XorSettings(int k, int m) {
  public XorSettings {
    if (k < 1) {
      throw new IllegalArgumentException("k = " + k + ", XOR needs at least 1 data block");
    }
    if (m != 1) {
      throw new IllegalArgumentException(
          "m = " + m + ", XOR has exactly 1 parity block; rs-K-M has other counts");
    }
    if (k >= ErasureCode.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "k + m = " + (k + 1L) + ", a stripe takes at most " + ErasureCode.MAX_BLOCKS + " blocks");
    }
  }
}
