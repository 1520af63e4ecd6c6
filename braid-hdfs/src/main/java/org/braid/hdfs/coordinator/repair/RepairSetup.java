package org.braid.hdfs.coordinator.repair;

import java.util.SplittableRandom;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;

/**
 * How stripes are repaired.
 *
 * @param planning the network's nodes are those of the first look
 * @param silentMillis how long nodes that are silent for a moment are waited for when there is no
 *     place without them, from the beginning
 * @param awaited whether readers wait for the stripes: they are repaired at once, and tried again
 *     after failures that no node is to blame for
 */
record RepairSetup(
    RepairManager.Settings management,
    RepairScheduler scheduler,
    PlanSettings planning,
    long seed,
    long silentMillis,
    boolean awaited) {
  /** A manager for these servers, with nothing to repair yet. */
  RepairManager manager(ClusterSnapshot servers) {
    return new RepairManager(management, scheduler, planning, servers, new SplittableRandom(seed));
  }
}
