package org.braid.code.rep;

import org.braid.code.ErasureCode;

/**
 * The parameters of {@link Replication}.
 *
 * @param copies blocks of a stripe, all alike, 2..255
 */
public record RepSettings(int copies) {
  public RepSettings {
    if (copies < 2) {
      throw new IllegalArgumentException(
          "R = " + copies + ", replication needs at least 2 copies to survive a loss");
    }
    if (copies > ErasureCode.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "R = " + copies + ", a stripe takes at most " + ErasureCode.MAX_BLOCKS + " blocks");
    }
  }
}
