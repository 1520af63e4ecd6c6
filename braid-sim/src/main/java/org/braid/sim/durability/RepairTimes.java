package org.braid.sim.durability;

/** How long a stripe with lost blocks waits for its repair. */
@FunctionalInterface
public interface RepairTimes {
  /**
   * The parts of a wait, in seconds.
   *
   * @param before until the repair is asked for: silence is noticed, a return is hoped for
   * @param queue the time in which the cluster repairs all stripes that are as urgent; this one is
   *     anywhere among them
   * @param own of its plan
   */
  record Wait(double before, double queue, double own) {
    public Wait {
      Times.requireFinite("a time before a repair", before);
      Times.requireFinite("a time in a queue", queue);
      Times.requireFinite("a time of a repair", own);
    }

    /** The mean of all. */
    public double mean() {
      return before + queue / 2 + own;
    }
  }

  /**
   * The wait of a stripe.
   *
   * @param missing blocks that it misses, at least 1
   * @param nodes of the cluster that failed with them, as far as they are not repaired
   */
  Wait of(int missing, double nodes);
}
