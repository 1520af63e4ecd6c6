package org.braid.code.rep;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;

/**
 * The parameters of {@link Replication}.
 *
 * @param copies blocks of a stripe, all alike, 2..255
 */
public record RepSettings(int copies) {
  public RepSettings {
    require(
        copies >= 2, "R = " + copies + ", replication needs at least 2 copies to survive a loss");
    requireBlocks("R", copies, "a stripe");
  }
}
