package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.braid.hdfs.stripe.Datanode;
import org.junit.jupiter.api.Test;

/** Where clients connect to DataNodes. */
final class ClientAddressesTest {
  private static final Datanode NODE =
      Datanode.builder("u")
          .host("node.example")
          .ip("10.0.0.1")
          .ipcPort(1)
          .transferPort(2)
          .rack("/r")
          .blockPool("")
          .build();

  @Test
  void theyConnectAsHdfssOwnClientDoes() {
    Configuration conf = new Configuration(false);
    assertEquals("10.0.0.1", new ClientAddresses(conf).of(NODE));
    conf.setBoolean(HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME, true);
    assertEquals("node.example", new ClientAddresses(conf).of(NODE));
  }
}
