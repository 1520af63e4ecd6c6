package org.braid.hdfs.dispatch;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.braid.hdfs.stripe.Datanode;

/**
 * Where a client finds DataNodes: at their addresses or by their names, as {@code
 * dfs.client.use.datanode.hostname} says to HDFS's own client, too. From outside a cluster its
 * addresses may lead nowhere.
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
