package org.braid.hdfs.coordinator.throttle;

import java.util.function.BooleanSupplier;
import org.braid.hdfs.metrics.Cause;
import org.braid.plan.throttle.WorkClass;

/**
 * The purpose of a plan or of a read of a block.
 *
 * @param work its class
 * @param cause the purpose in more detail, for counts
 * @param stripe the stripe of the work; empty before it has a name
 * @param urgent whether it is not throttled
 * @param halted whether the work is given up for now, so that it waits for nothing slow
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

  /** The same work on a stripe. */
  public Background on(String id) {
    return new Background(work, cause, id, urgent, halted);
  }

  /** The same work, not throttled. */
  public Background hurried() {
    return new Background(work, cause, stripe, true, halted);
  }

  /** The same work, given up under a condition. */
  public Background until(BooleanSupplier halts) {
    return new Background(work, cause, stripe, urgent, halts);
  }

  /** The same work, counted under another cause. */
  public Background because(Cause why) {
    return new Background(work, why, stripe, urgent, halted);
  }

  /** Its name on the wire. */
  public String word() {
    return work.word();
  }
}
