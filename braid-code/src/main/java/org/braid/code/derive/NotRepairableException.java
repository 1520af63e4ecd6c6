package org.braid.code.derive;

import java.util.List;

/** Blocks that the remaining ones do not determine. */
public final class NotRepairableException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final int missing;

  NotRepairableException(String code, List<Integer> lost, int alive, int missing) {
    super(
        (lost.size() == 1 ? "block " + lost.get(0) : "blocks " + lost)
            + " of "
            + code
            + " cannot be rebuilt from the "
            + (alive == 1 ? "1 block" : alive + " blocks")
            + " alive: at least "
            + (missing == 1 ? "1 more is" : missing + " more are")
            + " needed");
    this.missing = missing;
  }

  /** At least so many more blocks are needed; exactly so many of a code with alpha = 1. */
  public int missing() {
    return missing;
  }
}
