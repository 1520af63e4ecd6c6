package org.braid.hdfs.coordinator.policy;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.api.RefusedException;

/** How a batch of files ended, by the exception that ended it. */
enum BatchEnd {
  /** Nothing more is to be begun; the next holder of the lease goes on with the batch. */
  BROKEN_OFF,
  /**
   * The NameNode does not answer, or knows nothing of the lease, as it restarted or another one
   * took over: that says nothing of the batch, and the next walk finds its files again.
   */
  WITHOUT_LEASE,
  /** The cluster has not the racks or nodes for it. */
  REFUSED,
  /** It failed. */
  FAILED;

  /**
   * Classifies an exception.
   *
   * @param halted whether no more is to be begun
   * @param leads asks the NameNode whether the lease is held; calls fail before the loss of the
   *     lease is known
   */
  static BatchEnd of(IOException failure, BooleanSupplier halted, BooleanSupplier leads) {
    if (halted.getAsBoolean()) {
      return BROKEN_OFF;
    }
    if (!leads.getAsBoolean()) {
      return WITHOUT_LEASE;
    }
    return failure instanceof RefusedException ? REFUSED : FAILED;
  }
}
