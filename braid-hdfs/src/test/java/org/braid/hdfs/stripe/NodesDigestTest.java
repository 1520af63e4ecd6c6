package org.braid.hdfs.stripe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NodesDigestTest {
  private static Datanode node(String uuid, String rack, boolean inService) {
    return Datanode.builder(uuid)
        .host("h")
        .ip("1.2.3.4")
        .ipcPort(1)
        .transferPort(2)
        .rack(rack)
        .inService(inService)
        .build();
  }

  @Test
  void isThatOfTheNodesTheirRacksAndTheirService() {
    Datanode one = node("a", "/r0", true);
    Datanode other = node("b", "/r1", true);
    long digest = NodesDigest.of(List.of(one, other));
    assertEquals(digest, NodesDigest.of(List.of(other, one)));
    assertNotEquals(digest, NodesDigest.of(List.of(one)));
    assertNotEquals(digest, NodesDigest.of(List.of(one, node("c", "/r1", true))));
    assertNotEquals(digest, NodesDigest.of(List.of(one, node("b", "/r0", true))));
    assertNotEquals(digest, NodesDigest.of(List.of(one, node("b", "/r1", false))));
    // Nodes that have changed racks are not the same nodes.
    assertNotEquals(
        digest, NodesDigest.of(List.of(node("a", "/r1", true), node("b", "/r0", true))));
  }
}
