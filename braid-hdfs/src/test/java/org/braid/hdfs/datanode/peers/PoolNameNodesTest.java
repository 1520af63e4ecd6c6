package org.braid.hdfs.datanode.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

final class PoolNameNodesTest {
  private static Configuration federated() {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://one");
    conf.set("dfs.nameservices", "one,two,three");
    conf.set("dfs.ha.namenodes.one", "a,b");
    conf.set("dfs.namenode.rpc-address.one.a", "127.0.0.1:1001");
    conf.set("dfs.namenode.rpc-address.one.b", "127.0.0.1:1002");
    conf.set("dfs.ha.namenodes.two", "a,b");
    conf.set("dfs.namenode.rpc-address.two.a", "127.0.0.1:2001");
    conf.set("dfs.namenode.rpc-address.two.b", "127.0.0.1:2002");
    conf.set("dfs.namenode.rpc-address.three", "127.0.0.1:3001");
    conf.set("dfs.namenode.servicerpc-address.two.a", "127.0.0.1:2101");
    conf.set("dfs.namenode.servicerpc-address.two.b", "127.0.0.1:2102");
    conf.set("dfs.namenode.servicerpc-address.three", "127.0.0.1:3101");
    return conf;
  }

  private static URI of(String... addresses) throws IOException {
    return PoolNameNodes.uri(talks("BP-1", addresses), federated(), "BP-1");
  }

  /** What a DataNode tells of the NameNodes of a pool that it talks to. */
  private static List<Map<String, String>> talks(String blockPool, String... addresses) {
    return Stream.of(addresses)
        .map(address -> Map.of("BlockPoolID", blockPool, "NamenodeAddress", address))
        .toList();
  }

  @Test
  void aPoolOfSeveralNameNodesIsAskedByItsNameService() throws Exception {
    assertEquals(URI.create("hdfs://one"), of("127.0.0.1:1002"));
    assertEquals(URI.create("hdfs://two"), of("127.0.0.1:2001", "127.0.0.1:2002"));
  }

  @Test
  void aPoolOfOneNameNodeIsAskedByItsAddress() throws Exception {
    assertEquals(3001, of("127.0.0.1:3001").getPort());
    assertEquals(URI.create("hdfs://127.0.0.1:4001"), of("127.0.0.1:4001"));
  }

  @Test
  void theAddressForDataNodesLeadsToTheOneForClients() throws Exception {
    assertEquals(URI.create("hdfs://two"), of("127.0.0.1:2101"));
    assertEquals(3001, of("127.0.0.1:3101").getPort());
  }

  /** The file system of the configuration may be a router. */
  @Test
  void theOnlyNameServiceIsAsked() {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://router:8888");
    assertEquals(URI.create("hdfs://router:8888"), PoolNameNodes.only(conf), "no other is known");
    conf.set("dfs.nameservices", "one");
    conf.set("dfs.namenode.rpc-address.one", "127.0.0.1:1001");
    assertEquals(1001, PoolNameNodes.only(conf).getPort());
    conf.set("dfs.ha.namenodes.one", "a,b");
    conf.set("dfs.namenode.rpc-address.one.a", "127.0.0.1:1001");
    conf.set("dfs.namenode.rpc-address.one.b", "127.0.0.1:1002");
    assertEquals(URI.create("hdfs://one"), PoolNameNodes.only(conf));
  }

  /** So HDFS's own DataNodes take their configuration, whose file system is for programs. */
  @Test
  void theOnlyNameNodeInNoNameServiceIsAsked() {
    for (String programs : List.of("hdfs://router:8888", "viewfs://mounts", "file:///")) {
      Configuration conf = new Configuration(false);
      conf.set("fs.defaultFS", programs);
      conf.set("dfs.namenode.rpc-address", "127.0.0.1:1001");
      assertEquals(URI.create("hdfs://127.0.0.1:1001"), PoolNameNodes.only(conf));
    }
  }

  /** The other one would take parity of this pool for its own. */
  @Test
  void theOnlyNameServiceIsNotAskedAboutAPoolThatTheDataNodeHasLeft() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://router:8888");
    conf.set("dfs.nameservices", "two");
    conf.set("dfs.ha.namenodes.two", "a,b");
    conf.set("dfs.namenode.rpc-address.two.a", "127.0.0.1:2001");
    conf.set("dfs.namenode.rpc-address.two.b", "127.0.0.1:2002");
    List<Map<String, String>> talks = talks("BP-2", "127.0.0.1:2001", "127.0.0.1:2002");
    assertEquals(URI.create("hdfs://two"), PoolNameNodes.uri(talks, conf, "BP-2"));
    IOException refused =
        assertThrows(IOException.class, () -> PoolNameNodes.uri(talks, conf, "BP-1"));
    assertEquals("the DataNode talks to no NameNode of block pool BP-1", refused.getMessage());
  }

  /** HDFS gives the DataNode the new configuration before it ends what reports by the old one. */
  @Test
  void theOnlyNameServiceIsNotAskedAboutAPoolThatTheDataNodeIsAboutToLeave() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "two");
    conf.set("dfs.ha.namenodes.two", "a,b");
    conf.set("dfs.namenode.rpc-address.two.a", "127.0.0.1:2001");
    conf.set("dfs.namenode.rpc-address.two.b", "127.0.0.1:2002");
    assertEquals(
        URI.create("hdfs://127.0.0.1:1001"),
        PoolNameNodes.uri(talks("BP-1", "127.0.0.1:1001"), conf, "BP-1"));
    conf.set("dfs.namenode.servicerpc-address.two.a", "127.0.0.1:2101");
    conf.set("dfs.namenode.servicerpc-address.two.b", "127.0.0.1:2102");
    assertEquals(
        URI.create("hdfs://two"), PoolNameNodes.uri(talks("BP-2", "127.0.0.1:2102"), conf, "BP-2"));
  }

  @Test
  void theOnlyNameNodeIsNotAskedAboutAPoolThatTheDataNodeIsAboutToLeave() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:2001");
    assertEquals(
        URI.create("hdfs://127.0.0.1:2001"),
        PoolNameNodes.uri(talks("BP-2", "127.0.0.1:2001"), conf, "BP-2"));
    assertEquals(
        URI.create("hdfs://127.0.0.1:1001"),
        PoolNameNodes.uri(talks("BP-1", "127.0.0.1:1001"), conf, "BP-1"));
    conf.set("fs.defaultFS", "file:///");
    assertEquals(
        URI.create("hdfs://127.0.0.1:1001"),
        PoolNameNodes.uri(talks("BP-1", "127.0.0.1:1001"), conf, "BP-1"),
        "of a configuration without a NameNode HDFS ends nothing");
  }

  @Test
  void aPoolWithoutANameNodeIsNamed() {
    String message = assertThrows(IOException.class, PoolNameNodesTest::of).getMessage();
    assertTrue(message.contains("BP-1"), message);
  }
}
