package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Where the administration of a router is looked for. */
final class RouterAdminTest {
  private static final URI ROUTER = URI.create("hdfs://127.0.0.1:8888");

  private final Configuration conf = new Configuration();

  private List<String> addresses(URI router) throws IOException {
    return RouterAdmin.addresses(router, conf).stream()
        .map(address -> address.getHostString() + ":" + address.getPort())
        .toList();
  }

  @Test
  void itIsAtTheRouterUnlessAHostIsNamed() throws IOException {
    assertEquals(List.of("127.0.0.1:8111"), addresses(ROUTER));
    conf.set(RouterAdmin.ADDRESS_KEY, "0.0.0.0:9111");
    assertEquals(List.of("127.0.0.1:9111"), addresses(ROUTER));
    conf.set(RouterAdmin.ADDRESS_KEY, "127.0.0.2:9112");
    assertEquals(List.of("127.0.0.2:9112"), addresses(ROUTER));
  }

  @Test
  void eachOfSeveralRoutersMayTell() throws IOException {
    conf.set("dfs.nameservices", "fed");
    conf.set("dfs.ha.namenodes.fed", "r1,r2");
    conf.set("dfs.namenode.rpc-address.fed.r1", "127.0.0.1:8888");
    conf.set("dfs.namenode.rpc-address.fed.r2", "127.0.0.2:8888");
    conf.set("dfs.client.failover.proxy.provider.fed", "any");
    assertEquals(
        List.of("127.0.0.1:8111", "127.0.0.2:8111"),
        addresses(URI.create("hdfs://fed")).stream().sorted().toList());
  }

  @Test
  void aWrongAddressIsNamed() {
    conf.set(RouterAdmin.ADDRESS_KEY, "host:port");
    IOException wrong = assertThrows(IOException.class, () -> addresses(ROUTER));
    assertTrue(wrong.getMessage().contains(RouterAdmin.ADDRESS_KEY), wrong.getMessage());
  }

  @Test
  void whoDoesNotAnswerIsNamed() {
    conf.set(RouterAdmin.ADDRESS_KEY, "127.0.0.1:1");
    IOException refused =
        assertThrows(IOException.class, () -> RouterAdmin.connect(ROUTER, conf).close());
    assertTrue(
        refused.getMessage().startsWith("its mounts cannot be read: ")
            && refused.getMessage().contains(":1: ")
            && refused.getMessage().endsWith(" (" + RouterAdmin.ADDRESS_KEY + " says where)"),
        refused.getMessage());
  }
}
