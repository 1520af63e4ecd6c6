package org.braid.hdfs.coordinator.repair;

import java.util.SplittableRandom;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;

/**
 * How a repair plans, and how long it waits.
 *
 * @param planning the network's nodes are those of the first look
 * @param silentMillis how long, from the beginning, to wait for nodes that just fell silent when
 *     there is no place without them
 * @param awaited whether to repair the stripes at once, for example because readers wait for them,
 *     and again after failures that are no node's fault
 */
record RepairSetup(
    RepairManager.Settings management,
    RepairScheduler scheduler,
    PlanSettings planning,
    long seed,
    long silentMillis,
    boolean awaited) {
  /** Creates a repair manager for the servers, without stripes. */
  RepairManager manager(ClusterSnapshot servers) {
    return new RepairManager(management, scheduler, planning, servers, new SplittableRandom(seed));
  }
}
