package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairSchedulers;

/**
 * The settings of repairs: as requested, else as configured.
 *
 * @param scheduler chooses helpers and destinations
 * @param perNode repairs at once in which one node takes part
 * @param perUplink repairs at once that cross one rack's uplink
 * @param delayMillis how long a silent node may come back
 * @param timeoutMillis how long a repair may take
 * @param urgentSpare stripes that survive at most this number of further losses do not wait
 */
public record RepairSettings(
    RepairScheduler scheduler,
    int perNode,
    int perUplink,
    long delayMillis,
    long timeoutMillis,
    int urgentSpare) {
  /** Property: the scheduler's name. */
  static final String SCHEDULER_KEY = "braid.repair.scheduler";

  /** Property: repairs at once in which one node takes part. */
  static final String PER_NODE_KEY = "braid.repair.per-node";

  /** Property: repairs at once that cross one rack's uplink. */
  static final String PER_UPLINK_KEY = "braid.repair.per-uplink";

  /**
   * Property: how long a silent node may come back before its blocks are rebuilt. Stripes that
   * readers wait for, and stripes without a spare block, do not wait.
   */
  static final String DELAY_KEY = "braid.repair.delay";

  /** Default of {@link #DELAY_KEY} for a watch, so that planned restarts rebuild nothing. */
  public static final long WATCH_DELAY_MILLIS = TimeUnit.MINUTES.toMillis(15);

  /** Property: how long a repair may take before it is planned anew. */
  public static final String TIMEOUT_KEY = "braid.repair.timeout";

  /**
   * Property: stripes that survive at most this number of further losses do not wait for silent
   * nodes.
   */
  static final String URGENT_KEY = "braid.repair.urgent-spare";

  private static final int ATTEMPTS = 5;

  /**
   * The settings of a repair.
   *
   * @param delayMillis the delay where none is asked for or configured
   * @throws IOException when a requested or configured value is invalid
   */
  public static RepairSettings of(Configuration conf, RepairPolicy policy, long delayMillis)
      throws IOException {
    try {
      RepairSettings settings =
          new RepairSettings(
              RepairSchedulers.named(
                  policy.scheduler().orElse(conf.getTrimmed(SCHEDULER_KEY, "mppr"))),
              policy.perNode().orElse(conf.getInt(PER_NODE_KEY, 4)),
              policy.perUplink().orElse(conf.getInt(PER_UPLINK_KEY, 32)),
              policy.delayMillis().orElse(millis(conf, DELAY_KEY, delayMillis)),
              policy.timeoutMillis().orElse(millis(conf, TIMEOUT_KEY, 600_000)),
              conf.getInt(URGENT_KEY, 0));
      settings.manager(1); // checks them
      return settings;
    } catch (IllegalArgumentException e) {
      throw new IOException("how to repair: " + e.getMessage(), e);
    }
  }

  private static long millis(Configuration conf, String key, long otherwise) {
    return conf.getTimeDuration(key, otherwise, TimeUnit.MILLISECONDS);
  }

  /**
   * The manager's settings.
   *
   * @param parallel repairs at once on the whole cluster
   */
  public RepairManager.Settings manager(int parallel) {
    return new RepairManager.Settings(
        new RepairBudgets(perNode, perUplink, parallel),
        delayMillis,
        urgentSpare,
        timeoutMillis,
        ATTEMPTS,
        0);
  }
}
