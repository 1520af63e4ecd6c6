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
 * Configures HDFS's own client of the active NameNode, which Braid itself uses for files, whatever
 * class programs with the same configuration use. Another class may mount other file systems or
 * read through lost blocks. An observer NameNode may answer with an older state of the namespace,
 * but conversion and repair must see the changes of others, including those of Braid in the
 * NameNode.
 */
public final class StockClient {
  private StockClient() {}

  /** Makes a configuration create this client for HDFS file systems. */
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
