package org.braid.hdfs.coordinator.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What is named to whoever named a standby. */
final class ActiveNameNodeTest {
  private static Configuration pair(String service, String first, String second) {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", service);
    conf.set("dfs.ha.namenodes." + service, "a,b");
    conf.set("dfs.namenode.rpc-address." + service + ".a", first);
    conf.set("dfs.namenode.rpc-address." + service + ".b", second);
    return conf;
  }

  private static final Configuration HERE = pair("prod", "127.0.0.1:8020", "127.0.0.2:8020");

  @Test
  void theNameServiceOfTheStandbyIsNamed() {
    assertEquals(
        "name both NameNodes: -fs hdfs://prod, or set fs.defaultFS to hdfs://prod",
        ActiveNameNode.instead("127.0.0.2:8020", HERE, Optional.empty()));
    assertEquals(
        ActiveNameNode.instead("127.0.0.1:8020", HERE, Optional.empty()),
        ActiveNameNode.instead("localhost:8020", HERE, Optional.empty()),
        "by another name");
  }

  @Test
  void theOnlyNameServiceOfThisHostMayBeAnotherCluster() {
    String unknown = ActiveNameNode.instead("127.0.0.9:8020", HERE, Optional.empty());
    assertTrue(unknown.startsWith("name the active NameNode by -fs or fs.defaultFS"), unknown);
    Configuration there = pair("test", "127.0.0.8:8020", "127.0.0.9:8020");
    String known = ActiveNameNode.instead("127.0.0.9:8020", HERE, Optional.of(there));
    assertTrue(known.startsWith("name the active NameNode: -fs hdfs://127.0.0.8:8020;"), known);
  }

  /** A NameNode knows its own name service, whatever its host is called elsewhere. */
  @Test
  void theOnlyNameServiceOfTheStandbyIsItsOwn() {
    Configuration there = pair("test", "127.0.0.8:8020", "127.0.0.9:8020");
    String known = ActiveNameNode.instead("127.0.0.7:8020", HERE, Optional.of(there));
    assertTrue(known.endsWith("name both: -fs hdfs://test"), known);
  }
}
