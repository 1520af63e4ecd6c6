package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.braid.hdfs.namenode.ear.PlacedBlocks;
import org.braid.placement.Topology;
import org.junit.jupiter.api.Test;

final class PlacedBlocksTest {
  private static final Topology BEFORE = topology("a@/r0", "b@/r1", "c@/r1", "d@/r2");

  private static Topology topology(String... nodesAtRacks) {
    Topology.Builder builder = Topology.builder();
    for (String node : nodesAtRacks) {
      builder.add(node.split("@")[0], node.split("@")[1]);
    }
    return builder.build();
  }

  private static void assertNodes(PlacedBlocks stripe, int[]... nodes) {
    assertEquals(nodes.length, stripe.blocks());
    assertEquals(nodes.length, stripe.nodes().size());
    for (int i = 0; i < nodes.length; i++) {
      assertArrayEquals(nodes[i], stripe.nodes().get(i), "block " + i);
    }
  }

  private static PlacedBlocks stripe() {
    PlacedBlocks stripe = new PlacedBlocks();
    stripe.in(BEFORE);
    stripe.found(List.of("d", "gone", "a"));
    stripe.placed(1, new int[] {1, 3});
    assertEquals(1, stripe.core());
    assertNodes(stripe, new int[] {3, 0}, new int[] {1, 3});
    return stripe;
  }

  /** Nodes and racks get other numbers when others come and go. */
  @Test
  void namesOutliveTheNumbers() {
    PlacedBlocks stripe = stripe();
    stripe.in(topology("x@/r9", "b@/r1", "gone@/r0", "d@/r2"));
    assertEquals(1, stripe.core());
    assertNodes(stripe, new int[] {3, 2}, new int[] {1, 3});
    stripe.in(topology("d@/r2", "b@/r1"));
    assertEquals(1, stripe.core());
    assertNodes(stripe, new int[] {0}, new int[] {1, 0});
    stripe.in(topology("d@/r2"));
    assertEquals(-1, stripe.core(), "the core rack is gone");
    stripe.placed(0, new int[] {0});
    stripe.in(BEFORE);
    assertEquals(2, stripe.core());
    assertNodes(stripe, new int[] {3, 0}, new int[] {1, 3}, new int[] {3});
  }

  /** HDFS asks again for the block of a client that gave it up, or that cut its file. */
  @Test
  void whatIsAskedForAgainIsForgotten() {
    PlacedBlocks stripe = stripe();
    stripe.forget(2);
    assertEquals(2, stripe.blocks());
    stripe.forget(1);
    assertNodes(stripe, new int[] {3, 0});
    assertEquals(1, stripe.core(), "the others stay where they are");
    stripe.placed(1, new int[] {2});
    assertNodes(stripe, new int[] {3, 0}, new int[] {2});
    stripe.forget(0);
    assertNodes(stripe);
    assertEquals(-1, stripe.core(), "a stripe without blocks may begin anywhere");
    stripe.in(topology("b@/r1"));
    assertEquals(-1, stripe.core());
  }
}
