package org.braid.hdfs.coordinator;

import java.util.function.BooleanSupplier;

/**
 * When stripes are repaired beside a command.
 *
 * @param urgent those whose next loss may cost data
 * @param others those that lost blocks
 * @param paused whether no more of the urgent ones that were found are to be begun
 */
record Beside(BooleanSupplier urgent, BooleanSupplier others, BooleanSupplier paused) {
  /** All, unless somebody has repair paused. */
  static Beside unless(BooleanSupplier paused) {
    BooleanSupplier wanted = () -> !paused.getAsBoolean();
    return new Beside(wanted, wanted, paused);
  }

  /**
   * Beside the repair of all stripes. What it began with waits for the throttle, while other
   * stripes may get worse; these are finished also when the throttle is cleared meanwhile.
   */
  static Beside repairOfAll(BooleanSupplier throttled) {
    return new Beside(throttled, () -> false, () -> false);
  }
}
