package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MembersTest {
  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String id = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  private final BadReplicas bad = new BadReplicas();

  private Members members() {
    return Members.of(cluster.status(id), cluster.look(), bad);
  }

  @Test
  void aStripeAtHomeLacksNothing() {
    assertFalse(members().damaged());
    assertEquals(List.of(0, 1, 2, 3, 4), members().available());
  }

  @Test
  void blocksOfNodesThatDoNotAnswerAreLost() {
    cluster.kill("r0n0");
    cluster.silence("r3n0");
    assertEquals(List.of(0, 3), members().lost());
    assertEquals(List.of(0, 3), members().homeless());
    assertEquals(List.of(), members().beyond(cluster.status(id).stripe().code()));
    cluster.kill("r4n0");
    assertEquals(List.of(0, 3, 4), members().beyond(cluster.status(id).stripe().code()));
  }

  @Test
  void aBadCopyStaysKnownWhenNodesJoin() {
    bad.add(cluster.block(id, 2), "r2n0");
    assertEquals(List.of(2), members().lost());
    // It comes before all others in the order of nodes.
    cluster.join("new", "/a");
    assertEquals(List.of(2), members().lost());
    cluster.put(cluster.block(id, 2), "r2n1");
    assertEquals(List.of(), members().lost());
  }

  @Test
  void aBlockThatMovedStaysWhereTheRuleAllowsIt() {
    cluster.put(cluster.block(id, 1), "r5n1");
    assertEquals(List.of(1), members().strayed());
    assertFalse(members().damaged());
    cluster.put(cluster.block(id, 1), "r0n1");
    assertEquals(List.of(), members().strayed());
    assertEquals(List.of(1), members().homeless());
    Map<Integer, String> misplaced = members().misplaced();
    assertTrue(misplaced.get(1).contains("/r0"), misplaced.toString());
    // Of two copies one that is in a place for it counts.
    cluster.copy(cluster.block(id, 1), "r5n0");
    assertFalse(members().damaged());
  }

  /** Else each repair would move it to where the other stripe does not want it. */
  @Test
  void aBlockOfALaterStripeIsNotMoved() {
    cluster.put(cluster.block(id, 1), "r0n1");
    cluster.reencode(cluster.block(id, 1));
    assertEquals(Map.of(), members().misplaced());
    assertEquals(List.of(), members().strayed());
    assertFalse(members().damaged());
    cluster.kill("r4n0");
    assertEquals(List.of(4), members().homeless());
  }

  @Test
  void aBlockOfANodeThatLeavesIsToBeMoved() {
    cluster.retire("r4n0");
    assertEquals(
        Map.of(4, "node r4n0 with its copy is being taken out of service"), members().misplaced());
    assertEquals(List.of(), members().lost());
  }
}
