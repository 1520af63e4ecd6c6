package org.braid.hdfs.client;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.braid.hdfs.rpc.NetworkRates;
import org.braid.plan.Network;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;

/**
 * How a client reads what is lost.
 *
 * @param planner shape of a degraded read
 * @param slice bytes of a slice that streams between the helpers
 * @param firstRead bytes rebuilt for a stream's read at a new place, at least as many as asked for;
 *     positioned reads get what they ask for
 * @param readAhead bytes rebuilt at most at once; sequential reads get there by doubling
 * @param lostMillis how long a block counts as lost before a plain read is tried again
 * @param socketMillis how long a DataNode may be silent before its block counts as lost
 * @param memory bytes of slices in use at once
 * @param ahead how healthy and lost blocks are read ahead
 * @param hedge what is done about helpers that hold a read up
 * @param rack where the client is; empty to go by what the NameNode says
 * @param rates how fast links are
 */
record ClientSettings(
    RepairPlanner planner,
    int slice,
    int firstRead,
    int readAhead,
    long lostMillis,
    int socketMillis,
    long memory,
    Ahead ahead,
    Hedge hedge,
    Optional<String> rack,
    Network.Rates rates) {
  static final String SHAPE = "braid.client.degraded.shape";
  static final String SLICE = "braid.client.degraded.slice";
  static final String FIRST_READ = "braid.client.degraded.first-read";
  static final String READ_AHEAD = "braid.client.degraded.read-ahead";
  static final String MEMORY = "braid.client.degraded.memory";
  static final String LOST = "braid.client.lost-block.expiry";
  static final String SOCKET_TIMEOUT = "braid.client.socket-timeout";
  static final String HEDGES = "braid.client.degraded.hedges";
  static final String HEDGE_AFTER = "braid.client.degraded.hedge-after";
  static final String SUSPECT = "braid.client.degraded.suspect-for";
  static final String RACK = "braid.client.rack";
  static final String AHEAD_BLOCKS = "braid.client.read-ahead.blocks";
  static final String AHEAD_MEMORY = "braid.client.read-ahead.memory";
  static final String AHEAD_PIECE = "braid.client.read-ahead.piece";
  static final String AHEAD_AFTER = "braid.client.read-ahead.after";

  /** A DFS client's state that is shared by name; ours must not meet the stock client's. */
  private static final String CONTEXT = "braid-client";

  /**
   * How blocks are read ahead of a reader that goes from front to back.
   *
   * @param blocks blocks read at once; 1 turns it off
   * @param memory bytes read ahead at most, of all streams of a file system together
   * @param piece bytes of a buffer
   * @param after bytes that a reader has to read in a row before anything is read ahead
   * @param interruptible whether threads that read may be interrupted: that closes the files that
   *     short-circuit reads share
   */
  record Ahead(int blocks, long memory, int piece, long after, boolean interruptible) {
    private static final int MOST_BLOCKS = 64;

    static Ahead of(Configuration conf) {
      int blocks = conf.getInt(AHEAD_BLOCKS, 6);
      if (blocks < 1 || blocks > MOST_BLOCKS) {
        throw new IllegalArgumentException(
            AHEAD_BLOCKS + " = " + blocks + " is not within 1 (off) and " + MOST_BLOCKS);
      }
      long quarter = Runtime.getRuntime().maxMemory() / 4;
      long memory = conf.getLongBytes(AHEAD_MEMORY, Math.min(256 << 20, quarter));
      int piece = bytes(conf, AHEAD_PIECE, 1 << 20);
      if (memory < piece) {
        throw new IllegalArgumentException(
            AHEAD_MEMORY
                + " = "
                + memory
                + " bytes does not hold one piece of "
                + piece
                + " ("
                + AHEAD_PIECE
                + "); to read nothing ahead set "
                + AHEAD_BLOCKS
                + " = 1");
      }
      long after = conf.getLongBytes(AHEAD_AFTER, 4 << 20);
      if (after < 0) {
        throw new IllegalArgumentException(AHEAD_AFTER + " = " + after + " is negative");
      }
      boolean shared =
          conf.getBoolean(
              HdfsClientConfigKeys.Read.ShortCircuit.KEY,
              HdfsClientConfigKeys.Read.ShortCircuit.DEFAULT);
      return new Ahead(blocks, memory, piece, after, !shared);
    }
  }

  /**
   * What is done about helpers that hold a read up.
   *
   * @param most further plans that a read may start at most; 0 turns it off
   * @param afterMillis how long nothing may come before another plan is started
   * @param suspectMillis how long a helper that held a read up is left out of others
   */
  record Hedge(int most, long afterMillis, long suspectMillis) {
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

  static ClientSettings of(Configuration conf) {
    return new ClientSettings(
        RepairPlanners.named(conf.getTrimmed(SHAPE, "chain")),
        bytes(conf, SLICE, 128 << 10),
        bytes(conf, FIRST_READ, 256 << 10),
        bytes(conf, READ_AHEAD, 4 << 20),
        conf.getTimeDuration(LOST, 30_000, TimeUnit.MILLISECONDS),
        Math.toIntExact(conf.getTimeDuration(SOCKET_TIMEOUT, 10_000, TimeUnit.MILLISECONDS)),
        conf.getLongBytes(MEMORY, 256 << 20),
        Ahead.of(conf),
        Hedge.of(conf),
        rack(conf.getTrimmed(RACK, "")),
        NetworkRates.of(conf));
  }

  /**
   * The configuration of the client that reads healthy blocks: where the stock client waits and
   * asks again for up to half a minute, it gives up at once, as the block can be rebuilt.
   */
  Configuration impatient(Configuration conf) {
    Configuration copy = new Configuration(conf);
    copy.setInt(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 0);
    int stock =
        conf.getInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, HdfsConstants.READ_TIMEOUT);
    int shorter = stock == 0 ? socketMillis : Math.min(stock, socketMillis);
    copy.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, shorter);
    String context =
        conf.get(
            HdfsClientConfigKeys.DFS_CLIENT_CONTEXT,
            HdfsClientConfigKeys.DFS_CLIENT_CONTEXT_DEFAULT);
    copy.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, CONTEXT + "-" + context);
    return copy;
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
