package org.braid.hdfs.client.degraded;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.rpc.NetworkRates;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;

/**
 * Settings of degraded reads.
 *
 * @param planner planner of degraded reads
 * @param slice bytes of a slice that streams between the helpers
 * @param firstRead bytes to rebuild for a stream's first read at a new place, at least as many as
 *     requested; positioned reads rebuild only the requested bytes
 * @param readAhead maximum bytes to rebuild at once; sequential reads reach it by doubling
 * @param lostMillis time for which a block counts as lost before a plain read is tried again
 * @param memory maximum bytes of slices in use
 * @param hedge settings for slow helpers
 * @param rack rack of the client; empty for the rack that the NameNode resolves
 * @param rates rates of links
 */
public record DegradedSettings(
    RepairPlanner planner,
    int slice,
    int firstRead,
    int readAhead,
    long lostMillis,
    long memory,
    Hedge hedge,
    Optional<String> rack,
    Network.Rates rates) {
  public static final String SHAPE = "braid.client.degraded.shape";
  public static final String SLICE = "braid.client.degraded.slice";
  public static final String FIRST_READ = "braid.client.degraded.first-read";
  public static final String READ_AHEAD = "braid.client.degraded.read-ahead";
  public static final String MEMORY = "braid.client.degraded.memory";
  public static final String LOST = "braid.client.lost-block.expiry";
  public static final String HEDGES = "braid.client.degraded.hedges";
  public static final String HEDGE_AFTER = "braid.client.degraded.hedge-after";
  public static final String SUSPECT = "braid.client.degraded.suspect-for";
  public static final String RACK = "braid.client.rack";

  /**
   * Settings for slow helpers.
   *
   * @param most maximum number of further plans of a read; 0 turns hedging off
   * @param afterMillis time without progress after which another plan starts
   * @param suspectMillis time for which a slow helper is left out of other plans
   */
  public record Hedge(int most, long afterMillis, long suspectMillis) {
    private static final int MOST = 8;

    static Hedge of(Configuration conf) {
      int most = conf.getInt(HEDGES, 2);
      if (most < 0 || most > MOST) {
        throw new IllegalArgumentException(
            HEDGES + " = " + most + " is not within 0 (off) and " + MOST);
      }
      return new Hedge(most, millis(conf, HEDGE_AFTER, 500), millis(conf, SUSPECT, 30_000));
    }

    private static long millis(Configuration conf, String key, long normal) {
      long millis = conf.getTimeDuration(key, normal, TimeUnit.MILLISECONDS);
      if (millis < 1) {
        throw new IllegalArgumentException(key + " = " + millis + " ms, needs at least 1 ms");
      }
      return millis;
    }
  }

  /**
   * Reads the settings off a configuration.
   *
   * @throws IllegalArgumentException when a value is out of its range
   */
  public static DegradedSettings of(Configuration conf) {
    return new DegradedSettings(
        RepairPlanners.named(conf.getTrimmed(SHAPE, "chain")),
        bytes(conf, SLICE, 128 << 10),
        bytes(conf, FIRST_READ, 256 << 10),
        bytes(conf, READ_AHEAD, 4 << 20),
        conf.getTimeDuration(LOST, 30_000, TimeUnit.MILLISECONDS),
        conf.getLongBytes(MEMORY, Math.min(256 << 20, Runtime.getRuntime().maxMemory() / 4)),
        Hedge.of(conf),
        rack(conf.getTrimmed(RACK, "")),
        NetworkRates.of(conf));
  }

  private static Optional<String> rack(String rack) {
    if (!rack.isEmpty() && !rack.startsWith("/")) {
      throw new IllegalArgumentException(
          RACK + " = " + rack + " is no network location as HDFS has them, such as /rack1");
    }
    return rack.isEmpty() ? Optional.empty() : Optional.of(rack);
  }

  private static int bytes(Configuration conf, String key, int normal) {
    long bytes = conf.getLongBytes(key, normal);
    if (bytes < 1 || bytes > 1 << 30) {
      throw new IllegalArgumentException(key + " = " + bytes + " is not within 1 byte and 1 GiB");
    }
    return (int) bytes;
  }
}
