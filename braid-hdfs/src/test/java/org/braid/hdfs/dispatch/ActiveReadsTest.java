package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.IPFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProviderWithIPFailover;
import org.apache.hadoop.hdfs.server.namenode.ha.RequestHedgingProxyProvider;
import org.junit.jupiter.api.Test;

final class ActiveReadsTest {
  private static final String KEY = "dfs.client.failover.proxy.provider.";

  @Test
  void onlyReadsFromObserversAreTurnedOff() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "a,b,c,d,e");
    conf.set(KEY + "a", ObserverReadProxyProvider.class.getName());
    conf.set(KEY + "b", ObserverReadProxyProviderWithIPFailover.class.getName());
    conf.set(KEY + "c", RequestHedgingProxyProvider.class.getName());
    conf.set(KEY + "d", "no.such.Provider");
    ActiveReads.configure(conf);
    assertEquals(ConfiguredFailoverProxyProvider.class.getName(), conf.get(KEY + "a"));
    assertEquals(IPFailoverProxyProvider.class.getName(), conf.get(KEY + "b"));
    assertEquals(RequestHedgingProxyProvider.class.getName(), conf.get(KEY + "c"));
    assertEquals("no.such.Provider", conf.get(KEY + "d"));
    assertNull(conf.get(KEY + "e"));
  }
}
