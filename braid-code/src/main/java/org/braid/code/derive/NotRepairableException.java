package org.braid.code.derive;

import java.util.List;

/** Lost blocks cannot be rebuilt from the blocks alive. */
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

  /** A lower bound of the further blocks needed, exact for codes with alpha = 1. */
  public int missing() {
    return missing;
  }
}
