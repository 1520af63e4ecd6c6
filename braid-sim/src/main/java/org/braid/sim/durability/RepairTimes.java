package org.braid.sim.durability;

/** Time from the loss of blocks to the end of their repair. */
@FunctionalInterface
public interface RepairTimes {
  /**
   * The parts of a repair's time, in seconds.
   *
   * @param before time until the repair is queued: detection and delay
   * @param queue time in which the cluster repairs all stripes that are as urgent; the stripe has a
   *     random place among them
   * @param own time of its plan
   */
  record Wait(double before, double queue, double own) {
    public Wait {
      NumberChecks.requireFinite("a time before a repair", before);
      NumberChecks.requireFinite("a time in a queue", queue);
      NumberChecks.requireFinite("a time of a repair", own);
    }

    /** The mean time. */
    public double mean() {
      return before + queue / 2 + own;
    }
  }

  /**
   * The time of a stripe's repair.
   *
   * @param missing number of its missing blocks, at least 1
   * @param nodes failed nodes of the cluster that are not rebuilt yet
   */
  Wait of(int missing, double nodes);
}
