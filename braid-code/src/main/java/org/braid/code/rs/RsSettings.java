package org.braid.code.rs;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;

/**
 * The parameters of a {@link ReedSolomon} code.
 *
 * @param k data blocks, at least 1
 * @param m parity blocks, at least 1; k + m is at most 255
 */
public record RsSettings(int k, int m) {
  public RsSettings {
    require(k >= 1, "k = " + k + ", Reed-Solomon needs at least 1 data block");
    require(m >= 1, "m = " + m + ", Reed-Solomon needs at least 1 parity block");
    requireBlocks("k + m", (long) k + m, "Reed-Solomon over GF(2^8)");
  }
}
