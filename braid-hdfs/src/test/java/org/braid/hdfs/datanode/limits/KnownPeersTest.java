package org.braid.hdfs.datanode.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.stripe.Datanode;
import org.junit.jupiter.api.Test;

final class KnownPeersTest {
  private final Map<String, Datanode> registered = new HashMap<>();
  private final Map<String, Integer> ports = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private long now = 5_000_000;
  private final KnownPeers known =
      new KnownPeers(
          uuid -> Optional.ofNullable(registered.get(uuid)),
          node -> {
            asked.add(node.uuid());
            Integer port = ports.get(node.uuid());
            if (port == null) {
              throw new IOException(node.host() + " does not answer");
            }
            return port;
          },
          () -> now);

  private void register(String uuid, String ip, int port) {
    registered.put(
        uuid,
        Datanode.builder(uuid).host(ip).ip(ip).ipcPort(9867).transferPort(9866).rack("/r").build());
    ports.put(uuid, port);
  }

  private void check(String uuid, String host, int port) throws IOException {
    known.check(
        "eve", PeerProto.newBuilder().setNode(1).setUuid(uuid).setHost(host).setPort(port).build());
  }

  private void assertRefused(String uuid, String host, int port) {
    assertEquals(
        "eve is no superuser: may not have a worker connect to %s:%d, where no DataNode \"%s\" that the NameNode knows serves streams"
            .formatted(host, port, uuid),
        assertThrows(AccessControlException.class, () -> check(uuid, host, port)).getMessage());
  }

  @Test
  void workersAreAskedOnceAMinute() throws Exception {
    register("one", "10.0.0.1", 7001);
    register("two", "10.0.0.2", 7002);
    for (int i = 0; i < 100; i++) {
      check("one", "10.0.0.1", 7001);
      check("two", "10.0.0.2", 7002);
    }
    assertEquals(List.of("one", "two"), asked);
    now += KnownPeers.FRESH_MILLIS;
    check("one", "10.0.0.1", 7001);
    assertEquals(List.of("one", "two", "one"), asked);
  }

  @Test
  void nothingElseIsAPeer() throws Exception {
    register("one", "10.0.0.1", 7001);
    register("two", "10.0.0.2", 7002);
    assertRefused("", "10.0.0.1", 7001);
    assertRefused("stranger", "10.0.0.1", 7001);
    assertRefused("one", "10.0.0.2", 7002);
    assertRefused("one", "localhost", 7001);
    assertEquals(List.of(), asked, "nobody is asked who is elsewhere");
    assertRefused("one", "10.0.0.1", 22);
    assertRefused("one", "169.254.169.254", 80);
    assertEquals(List.of("one"), asked);
    check("one", "10.0.0.1", 7001);
  }

  @Test
  void oneThatMovedIsAskedAgainSoonButNotForEachRequest() throws Exception {
    register("one", "10.0.0.1", 7001);
    check("one", "10.0.0.1", 7001);
    register("one", "10.0.0.9", 7009);
    for (int i = 0; i < 100; i++) {
      assertRefused("one", "10.0.0.9", 7009);
    }
    assertEquals(1, asked.size());
    now += KnownPeers.DOUBT_MILLIS;
    check("one", "10.0.0.9", 7009);
    assertEquals(2, asked.size());
    assertRefused("one", "10.0.0.1", 7001);
  }

  @Test
  void whoDoesNotAnswerIsNoPeer() {
    register("one", "10.0.0.1", 7001);
    ports.clear();
    assertEquals(
        "10.0.0.1 does not answer",
        assertThrows(IOException.class, () -> check("one", "10.0.0.1", 7001)).getMessage());
  }
}
