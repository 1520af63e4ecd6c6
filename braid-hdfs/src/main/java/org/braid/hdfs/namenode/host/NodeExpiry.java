package org.braid.hdfs.namenode.host;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/** The times after which a DataNode is not expected back. */
public final class NodeExpiry {
  private NodeExpiry() {}

  /**
   * Milliseconds without a heartbeat after which HDFS declares a DataNode dead, by HDFS's own rule.
   */
  public static long millis(Configuration conf) {
    long recheck =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_DEFAULT,
            TimeUnit.MILLISECONDS);
    long heartbeat =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
    return 2 * recheck + 10 * heartbeat;
  }

  /**
   * Milliseconds to wait for the first block report of a registered DataNode: the time after which
   * HDFS declares a silent node dead, plus the configured delay of the first report.
   */
  public static long reportMillis(Configuration conf) {
    return millis(conf)
        + conf.getTimeDuration(
            DFSConfigKeys.DFS_BLOCKREPORT_INITIAL_DELAY_KEY,
            DFSConfigKeys.DFS_BLOCKREPORT_INITIAL_DELAY_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
  }
}
