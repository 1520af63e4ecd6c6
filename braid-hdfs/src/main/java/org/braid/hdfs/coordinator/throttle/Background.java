package org.braid.hdfs.coordinator.throttle;

import java.util.function.BooleanSupplier;
import org.braid.plan.throttle.WorkClass;

/**
 * What a plan or a read of a block is for.
 *
 * @param work its class
 * @param stripe the stripe that it is about; empty where it has no name yet
 * @param urgent whether it is not throttled
 * @param halted whether the work is given up for the moment, so that nothing slow is waited for
 */
public record Background(WorkClass work, String stripe, boolean urgent, BooleanSupplier halted) {
  /** Conversion that is never given up. */
  public static final Background CONVERSION =
      new Background(WorkClass.CONVERSION, "", false, () -> false);

  /** Repair that waits its turn. */
  public static Background repair(BooleanSupplier halted) {
    return new Background(WorkClass.REPAIR, "", false, halted);
  }

  /** The same work about a stripe. */
  public Background on(String id) {
    return new Background(work, id, urgent, halted);
  }

  /** The same work, not throttled. */
  public Background hurried() {
    return new Background(work, stripe, true, halted);
  }

  /** The same work, given up when that is said. */
  public Background until(BooleanSupplier halts) {
    return new Background(work, stripe, urgent, halts);
  }

  /** Its name on the wire. */
  public String word() {
    return work.word();
  }
}
