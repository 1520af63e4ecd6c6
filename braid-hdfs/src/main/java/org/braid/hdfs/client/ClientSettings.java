package org.braid.hdfs.client;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;

/**
 * How a client reads what is lost.
 *
 * @param planner shape of a degraded read
 * @param slice bytes of a slice that streams between the helpers
 * @param firstRead bytes rebuilt for a read at a new place, at least as many as asked for
 * @param readAhead bytes rebuilt at most at once; sequential reads get there by doubling
 * @param lostMillis how long a block counts as lost before a plain read is tried again
 * @param socketMillis how long a DataNode may be silent before its block counts as lost
 * @param memory bytes of slices in use at once
 */
record ClientSettings(
    RepairPlanner planner,
    int slice,
    int firstRead,
    int readAhead,
    long lostMillis,
    int socketMillis,
    long memory) {
  static final String SHAPE = "braid.client.degraded.shape";
  static final String SLICE = "braid.client.degraded.slice";
  static final String FIRST_READ = "braid.client.degraded.first-read";
  static final String READ_AHEAD = "braid.client.degraded.read-ahead";
  static final String MEMORY = "braid.client.degraded.memory";
  static final String LOST = "braid.client.lost-block.expiry";
  static final String SOCKET_TIMEOUT = "braid.client.socket-timeout";

  /** A DFS client's state that is shared by name; ours must not meet the stock client's. */
  private static final String CONTEXT = "braid-client";

  static ClientSettings of(Configuration conf) {
    return new ClientSettings(
        RepairPlanners.named(conf.getTrimmed(SHAPE, "chain")),
        bytes(conf, SLICE, 128 << 10),
        bytes(conf, FIRST_READ, 256 << 10),
        bytes(conf, READ_AHEAD, 4 << 20),
        conf.getTimeDuration(LOST, 30_000, TimeUnit.MILLISECONDS),
        Math.toIntExact(conf.getTimeDuration(SOCKET_TIMEOUT, 10_000, TimeUnit.MILLISECONDS)),
        conf.getLongBytes(MEMORY, 256 << 20));
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

  private static int bytes(Configuration conf, String key, int normal) {
    long bytes = conf.getLongBytes(key, normal);
    if (bytes < 1 || bytes > 1 << 30) {
      throw new IllegalArgumentException(key + " = " + bytes + " is not within 1 byte and 1 GiB");
    }
    return (int) bytes;
  }
}
