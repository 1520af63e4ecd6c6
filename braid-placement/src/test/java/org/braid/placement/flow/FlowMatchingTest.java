package org.braid.placement.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.SmallClusters;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeLimits;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class FlowMatchingTest {
  @Test
  void agreesWithBruteForce() {
    Random random = Seeds.random(FlowMatchingTest.class);
    for (int round = 0; round < 2000; round++) {
      Topology topology = SmallClusters.topology(random, 4, 3);
      StripeLimits limits = SmallClusters.limits(random, topology);
      List<int[]> replicas = SmallClusters.replicas(random, topology, random.nextInt(6), 3);
      FlowMatching matching = limits.matching(topology, replicas);
      assertEquals(largest(topology, limits, replicas, 0, new int[0]), matching.size());
      assertEquals(matching.size() == replicas.size(), matching.isFull());
      int[] kept =
          IntStream.range(0, replicas.size())
              .map(matching::nodeOf)
              .filter(node -> node >= 0)
              .toArray();
      assertEquals(matching.size(), kept.length);
      assertTrue(
          SmallClusters.legal(EligibleNodes.all(topology), limits, kept), Arrays.toString(kept));
      for (int block = 0; block < replicas.size(); block++) {
        int node = matching.nodeOf(block);
        assertTrue(node < 0 || Arrays.stream(replicas.get(block)).anyMatch(r -> r == node));
      }
      assertAccepts(topology, limits, replicas, matching);
    }
  }

  /** What accepts says of one node is what a new flow says of a block there. */
  private static void assertAccepts(
      Topology topology, StripeLimits limits, List<int[]> replicas, FlowMatching matching) {
    for (int node = 0; node < topology.nodes(); node++) {
      List<int[]> more = new ArrayList<>(replicas);
      more.add(new int[] {node});
      int grown = limits.matching(topology, more).size();
      assertEquals(grown > matching.size(), matching.accepts(node), "node " + node);
    }
  }

  private static int largest(
      Topology topology, StripeLimits limits, List<int[]> replicas, int block, int[] kept) {
    if (block == replicas.size()) {
      return kept.length;
    }
    int best = largest(topology, limits, replicas, block + 1, kept);
    for (int node : replicas.get(block)) {
      int[] more = IntStream.concat(IntStream.of(kept), IntStream.of(node)).toArray();
      if (SmallClusters.legal(EligibleNodes.all(topology), limits, more)) {
        best = Math.max(best, largest(topology, limits, replicas, block + 1, more));
      }
    }
    return best;
  }

  /** EAR section 3.1.2: three blocks whose replicas are all in the same two racks. */
  @Test
  void sameTwoRacksKeepTwoBlocksOnly() {
    Topology topology = Topology.of(4, 2);
    List<int[]> replicas = List.of(new int[] {0, 2, 3}, new int[] {1, 2, 3}, new int[] {0, 3, 2});
    assertEquals(2, StripeLimits.perRack(1).matching(topology, replicas).size());
    assertEquals(3, StripeLimits.perRack(2).matching(topology, replicas).size());
  }

  /** EAR section 3.4, fig. 6: only target racks keep blocks. */
  @Test
  void blocksOutsideTargetRacksDoNotCount() {
    Topology topology = Topology.of(6, 3);
    List<int[]> replicas = List.of(new int[] {0, 3, 4}, new int[] {1, 6, 7}, new int[] {2, 9, 10});
    StripeLimits limits = new StripeLimits(3, Set.of(1, 2));
    FlowMatching matching = limits.matching(topology, replicas);
    assertEquals(2, matching.size());
    assertEquals(-1, matching.nodeOf(2));
    assertTrue(matching.accepts(3) && matching.accepts(8));
    assertTrue(!matching.accepts(0) && !matching.accepts(17));
  }
}
