package org.braid.hdfs.namenode.host;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/** After what time HDFS calls a DataNode dead. */
public final class NodeExpiry {
  private NodeExpiry() {}

  /** Milliseconds without a heartbeat; HDFS's own rule. */
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
}
