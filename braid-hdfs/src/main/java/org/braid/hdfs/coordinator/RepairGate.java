package org.braid.hdfs.coordinator;

import java.util.function.BooleanSupplier;

/**
 * Tells which stripes may be repaired while a command works.
 *
 * @param urgent whether stripes may be repaired whose next loss may cost data
 * @param others whether other stripes with lost blocks may be repaired
 * @param paused whether no further repair of the urgent stripes that were found may begin
 */
record RepairGate(BooleanSupplier urgent, BooleanSupplier others, BooleanSupplier paused) {
  /** Lets all repairs through, unless somebody has repair paused. */
  static RepairGate unlessPaused(BooleanSupplier paused) {
    BooleanSupplier wanted = () -> !paused.getAsBoolean();
    return new RepairGate(wanted, wanted, paused);
  }

  /**
   * Lets urgent repairs through while a throttle holds back a command that repairs all stripes: in
   * that time other stripes may get worse. Urgent repairs that were found are finished even if the
   * throttle is cleared.
   */
  static RepairGate duringRepairOfAll(BooleanSupplier throttled) {
    return new RepairGate(throttled, () -> false, () -> false);
  }
}
