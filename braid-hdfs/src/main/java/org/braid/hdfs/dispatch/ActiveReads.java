package org.braid.hdfs.dispatch;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.Failover;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.IPFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProviderWithIPFailover;

/**
 * Has HDFS's client read from the active NameNode alone. An observer answers with what its client
 * has seen of the namespace at least; whoever converts and repairs acts on what others changed,
 * Braid in the NameNode among them.
 */
public final class ActiveReads {
  private ActiveReads() {}

  /** Turns reads from observers off, for the file systems that a configuration makes. */
  public static void configure(Configuration conf) {
    for (String service : DFSUtilClient.getNameServiceIds(conf)) {
      String key = Failover.PROXY_PROVIDER_KEY_PREFIX + "." + service;
      Class<?> provider;
      try {
        provider = conf.getClass(key, Object.class);
      } catch (RuntimeException e) {
        continue; // HDFS's client says better which class is missing
      }
      if (ObserverReadProxyProviderWithIPFailover.class.isAssignableFrom(provider)) {
        conf.set(key, IPFailoverProxyProvider.class.getName());
      } else if (ObserverReadProxyProvider.class.isAssignableFrom(provider)) {
        conf.set(key, ConfiguredFailoverProxyProvider.class.getName());
      }
    }
  }
}
