package org.braid.hdfs.setting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.IPFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProviderWithIPFailover;
import org.apache.hadoop.hdfs.server.namenode.ha.RequestHedgingProxyProvider;
import org.junit.jupiter.api.Test;

final class StockClientTest {
  private static final String KEY = "dfs.client.failover.proxy.provider.";

  /** A provider that cannot be loaded. */
  static final class Broken {
    static final int NUMBER = Integer.parseInt("none");

    private Broken() {}
  }

  @Test
  void isHdfssOwnWhateverProgramsHave() {
    Configuration conf = new Configuration(false);
    conf.set("fs.hdfs.impl", "org.example.Mounts");
    StockClient.configure(conf);
    assertEquals(DistributedFileSystem.class.getName(), conf.get("fs.hdfs.impl"));
  }

  @Test
  void onlyReadsFromObserversAreTurnedOff() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "a,b,c,d,e,f");
    conf.set(KEY + "a", ObserverReadProxyProvider.class.getName());
    conf.set(KEY + "b", ObserverReadProxyProviderWithIPFailover.class.getName());
    conf.set(KEY + "c", RequestHedgingProxyProvider.class.getName());
    conf.set(KEY + "d", "no.such.Provider");
    conf.set(KEY + "f", Broken.class.getName());
    StockClient.configure(conf);
    assertEquals(ConfiguredFailoverProxyProvider.class.getName(), conf.get(KEY + "a"));
    assertEquals(IPFailoverProxyProvider.class.getName(), conf.get(KEY + "b"));
    assertEquals(RequestHedgingProxyProvider.class.getName(), conf.get(KEY + "c"));
    assertEquals("no.such.Provider", conf.get(KEY + "d"));
    assertNull(conf.get(KEY + "e"));
    assertEquals(Broken.class.getName(), conf.get(KEY + "f"));
  }
}
