package org.braid.hdfs.client.degraded;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.rpc.NetworkRates;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;

/**
 * How a client reads lost blocks.
 *
 * @param planner shape of a degraded read
 * @param slice bytes of a slice that streams between the helpers
 * @param firstRead bytes rebuilt for a stream's read at a new place, at least as many as asked for;
 *     positioned reads get what they ask for
 * @param readAhead bytes rebuilt at most at once; sequential reads get there by doubling
 * @param lostMillis how long a block counts as lost before a plain read is tried again
 * @param memory bytes of slices in use at once
 * @param hedge what is done about slow helpers
 * @param rack where the client is; empty for the rack that the NameNode resolves
 * @param rates how fast links are
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
   * What is done about helpers that hold a read up.
   *
   * @param most further plans that a read may start at most; 0 turns it off
   * @param afterMillis how long nothing may come before another plan is started
   * @param suspectMillis how long a helper that held a read up is left out of others
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
