package org.braid.hdfs.dispatch;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.braid.hdfs.stripe.Datanode;

/**
 * Chooses how a client addresses DataNodes, by IP address or by host name, according to {@code
 * dfs.client.use.datanode.hostname} like HDFS's own client. Outside a cluster its IP addresses may
 * not be reachable.
 */
public final class ClientAddresses {
  private final boolean byName;

  public ClientAddresses(Configuration conf) {
    byName =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
  }

  /** The address or the name of a DataNode. */
  public String of(Datanode node) {
    return byName && !node.host().isEmpty() ? node.host() : node.ip();
  }
}
