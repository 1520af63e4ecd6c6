package org.braid.code.rs;

import org.braid.code.ErasureCode;

/**
 * The parameters of a {@link ReedSolomon} code.
 *
 * @param k data blocks, at least 1
 * @param m parity blocks, at least 1; k + m is at most 255
 */
public record RsSettings(int k, int m) {
  public RsSettings {
    if (k < 1) {
      throw new IllegalArgumentException("k = " + k + ", Reed-Solomon needs at least 1 data block");
    }
    if (m < 1) {
      throw new IllegalArgumentException(
          "m = " + m + ", Reed-Solomon needs at least 1 parity block");
    }
    // as long: the sum of two ints near the maximum must not pass as negative
    if ((long) k + m > ErasureCode.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "k + m = "
              + ((long) k + m)
              + ", Reed-Solomon over GF(2^8) takes at most "
              + ErasureCode.MAX_BLOCKS
              + " blocks");
    }
  }
}
