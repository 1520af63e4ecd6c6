package org.braid.hdfs.coordinator;

import java.util.function.BooleanSupplier;

/**
 * Decides which repairs may run concurrently with the work of a command.
 *
 * @param urgent whether to look for stripes whose next loss may cost data, and repair them
 * @param others whether to repair the other stripes with lost blocks
 * @param paused whether to begin no more repairs of the urgent stripes that were found
 */
record RepairGate(BooleanSupplier urgent, BooleanSupplier others, BooleanSupplier paused) {
  /** Allows all repairs, unless repair is paused. */
  static RepairGate unlessPaused(BooleanSupplier paused) {
    BooleanSupplier wanted = () -> !paused.getAsBoolean();
    return new RepairGate(wanted, wanted, paused);
  }

  /**
   * Allows urgent repairs during a command that repairs all stripes, while a throttle holds it
   * back: other stripes may lose further blocks in that time. The urgent stripes that were found
   * are all repaired, also after the throttle is cleared.
   */
  static RepairGate duringRepairOfAll(BooleanSupplier throttled) {
    return new RepairGate(throttled, () -> false, () -> false);
  }
}
