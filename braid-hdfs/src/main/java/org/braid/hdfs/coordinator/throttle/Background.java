package org.braid.hdfs.coordinator.throttle;

import java.util.function.BooleanSupplier;
import org.braid.hdfs.metrics.Cause;
import org.braid.plan.throttle.WorkClass;

/**
 * What a plan or a read of a block is for.
 *
 * @param work its class
 * @param cause what for in more detail, for counts
 * @param stripe the stripe that it is about; empty where it has no name yet
 * @param urgent whether it is not throttled
 * @param halted whether the work is given up for the moment, so that nothing slow is waited for
 */
public record Background(
    WorkClass work, Cause cause, String stripe, boolean urgent, BooleanSupplier halted) {
  /** Conversion that is never given up. */
  public static final Background CONVERSION =
      new Background(WorkClass.CONVERSION, Cause.CONVERT, "", false, () -> false);

  /** Repair that waits its turn. */
  public static Background repair(BooleanSupplier halted) {
    return new Background(WorkClass.REPAIR, Cause.REPAIR, "", false, halted);
  }

  /** The same work about a stripe. */
  public Background on(String id) {
    return new Background(work, cause, id, urgent, halted);
  }

  /** The same work, not throttled. */
  public Background hurried() {
    return new Background(work, cause, stripe, true, halted);
  }

  /** The same work, given up when that is said. */
  public Background until(BooleanSupplier halts) {
    return new Background(work, cause, stripe, urgent, halts);
  }

  /** The same work, counted as another one. */
  public Background because(Cause why) {
    return new Background(work, why, stripe, urgent, halted);
  }

  /** Its name on the wire. */
  public String word() {
    return work.word();
  }
}
