package org.braid.hdfs.setting;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.Failover;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.IPFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProviderWithIPFailover;

/**
 * HDFS's own client of the active NameNode, by which Braid itself reaches files, whatever programs
 * with the same configuration have. Another class may mount other file systems or read through lost
 * blocks. An observer answers with what its client has seen of the namespace at least; whoever
 * converts and repairs acts on what others changed, Braid in the NameNode among them.
 */
public final class StockClient {
  private StockClient() {}

  /** Has a configuration make this client for the file systems of HDFS. */
  public static void configure(Configuration conf) {
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    for (String service : DFSUtilClient.getNameServiceIds(conf)) {
      String key = Failover.PROXY_PROVIDER_KEY_PREFIX + "." + service;
      Class<?> provider;
      try {
        provider = conf.getClass(key, Object.class);
      } catch (RuntimeException | LinkageError e) {
        continue; // HDFS's client says better which class is missing, if it needs it at all
      }
      if (ObserverReadProxyProviderWithIPFailover.class.isAssignableFrom(provider)) {
        conf.set(key, IPFailoverProxyProvider.class.getName());
      } else if (ObserverReadProxyProvider.class.isAssignableFrom(provider)) {
        conf.set(key, ConfiguredFailoverProxyProvider.class.getName());
      }
    }
  }
}
