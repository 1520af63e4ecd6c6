package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.Topology;
import org.braid.plan.schedule.ScheduledRepair;

/** The calls of {@link RepairLoop} on the cluster. */
interface RepairWork {
  /** Looks at the cluster and the blocks that workers cache. */
  ClusterState look() throws IOException;

  /**
   * Looks again and gives late nodes more time to answer.
   *
   * @param seen the cluster at the last look
   */
  default ClusterState patiently(ClusterState seen) throws IOException {
    return seen;
  }

  /** The current state of a stripe. */
  StripeStatus refreshed(StripeStatus stripe) throws IOException;

  /**
   * Repairs a stripe as scheduled; runs on a thread of its own.
   *
   * @param known the topology that numbers the nodes of the schedule
   */
  void repair(Damaged stripe, ScheduledRepair scheduled, Topology known) throws IOException;

  /**
   * Ends a stripe that is no longer damaged after failed attempts: verifies the blocks that these
   * rebuilt, and names their homes. Runs on a thread of its own.
   */
  void finish(Damaged stripe) throws IOException;

  /**
   * How long the repair of a stripe was throttled or waited so far, which does not count as its
   * time.
   */
  default long heldMillis(String stripe) {
    return 0;
  }

  /** Whether repairs change stripes, so that their state is read anew. */
  default boolean changes() {
    return true;
  }

  /** Gives a stripe up. */
  void giveUp(Damaged stripe, String reason);

  /** Whether no more repairs are to be begun. */
  boolean halted();
}
