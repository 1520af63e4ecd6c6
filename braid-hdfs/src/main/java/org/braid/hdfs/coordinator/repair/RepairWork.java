package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.Topology;
import org.braid.plan.schedule.ScheduledRepair;

/** The cluster as {@link RepairLoop} sees and changes it. */
interface RepairWork {
  /** The cluster as it is, with the blocks that workers have in memory. */
  ClusterState look() throws IOException;

  /**
   * The same once nodes that were late had more time to answer.
   *
   * @param seen the cluster as it was seen a moment ago
   */
  default ClusterState patiently(ClusterState seen) throws IOException {
    return seen;
  }

  /** A stripe as it is now. */
  StripeStatus refreshed(StripeStatus stripe) throws IOException;

  /**
   * Repairs a stripe as scheduled; runs on a thread of its own.
   *
   * @param known the topology that numbers the nodes of the schedule
   */
  void repair(Damaged stripe, ScheduledRepair scheduled, Topology known) throws IOException;

  /**
   * Ends a stripe that is not damaged any more after failed attempts: what these have rebuilt is
   * verified and gets its home. Runs on a thread of its own.
   */
  void finish(Damaged stripe) throws IOException;

  /** How long the repair of a stripe was held back or waited so far: that is not its time. */
  default long heldMillis(String stripe) {
    return 0;
  }

  /** Whether repairs change stripes, so that these are looked at anew. */
  default boolean changes() {
    return true;
  }

  /** A stripe is given up. */
  void giveUp(Damaged stripe, String reason);

  /** Whether no more repairs are to be begun. */
  boolean halted();
}
