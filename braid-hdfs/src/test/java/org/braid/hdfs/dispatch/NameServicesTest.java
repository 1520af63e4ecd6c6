package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class NameServicesTest {
  private static Configuration routed() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "fed,one,two,unknown");
    conf.set("dfs.ha.namenodes.fed", "r1,r2");
    conf.set("dfs.namenode.rpc-address.fed.r1", "127.0.0.1:8881");
    conf.set("dfs.namenode.rpc-address.fed.r2", "127.0.0.1:8882");
    conf.set("dfs.ha.namenodes.one", "a,b");
    conf.set("dfs.namenode.rpc-address.one.a", "127.0.0.1:1001");
    conf.set("dfs.namenode.rpc-address.one.b", "127.0.0.1:1002");
    conf.set("dfs.namenode.rpc-address.two", "127.0.0.1:2001");
    return conf;
  }

  @Test
  void oneOfSeveralNameNodesGoesByItsNameAndAnyOtherByItsAddress() {
    Map<String, URI> found = NameServices.of(routed());
    assertEquals(Set.of("fed", "one", "two"), found.keySet());
    assertEquals(URI.create("hdfs://one"), found.get("one"));
    assertEquals(2001, found.get("two").getPort());
    assertEquals(Map.of(), NameServices.of(new Configuration(false)));
  }

  @Test
  void aFileSystemIsLeftOutByItsNameOrItsAddress() {
    assertEquals(
        Set.of("one", "two"), NameServices.besides(URI.create("hdfs://fed"), routed()).keySet());
    assertEquals(
        Set.of("fed", "one", "two"),
        NameServices.besides(URI.create("hdfs://elsewhere:1"), routed()).keySet());
    URI two = NameServices.of(routed()).get("two");
    assertEquals(Set.of("fed", "one"), NameServices.besides(two, routed()).keySet());
  }

  @Test
  void oneNameNodeWithoutANameServiceIsNone() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:1001");
    assertEquals(Map.of(), NameServices.of(conf));
  }
}
