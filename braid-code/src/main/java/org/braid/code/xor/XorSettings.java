package org.braid.code.xor;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;

/**
 * The parameters of {@link SingleParity}.
 *
 * @param k data blocks, at least 1
 * @param m parity blocks, always 1; k + m is at most 255
 */
public record XorSettings(int k, int m) {
  public XorSettings {
    require(k >= 1, "k = " + k + ", XOR needs at least 1 data block");
    require(m == 1, "m = " + m + ", XOR has exactly 1 parity block; rs-K-M has other counts");
    requireBlocks("k + m", k + 1L, "a stripe");
  }
}
