package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.SmallClusters;
import org.braid.placement.Topology;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** What every policy for the replicas of a new block owes. */
abstract class PlacementContract {
  /** Places the first block of a stripe. */
  abstract int[] place(EligibleNodes eligible, int writer, int replicas, RandomGenerator random);

  @Test
  void replicasAreDistinctEligibleAndSpread() {
    Random random = Seeds.random(getClass());
    int placed = 0;
    for (int round = 0; round < 3000; round++) {
      Topology topology = SmallClusters.topology(random, 5, 5);
      EligibleNodes eligible = SmallClusters.eligible(random, topology, 0.7);
      int[] nodes = eligible.nodes();
      int replicas = 1 + random.nextInt(6);
      int writer = random.nextInt(topology.nodes() + 1) - 1;
      if (nodes.length < replicas) {
        continue;
      }
      placed++;
      int[] chosen = place(eligible, writer, replicas, random);
      assertEquals(replicas, chosen.length);
      assertEquals(replicas, Arrays.stream(chosen).distinct().count(), Arrays.toString(chosen));
      assertTrue(Arrays.stream(chosen).allMatch(eligible::contains), Arrays.toString(chosen));
      if (writer >= 0 && eligible.contains(writer)) {
        assertEquals(writer, chosen[0]);
      }
      assertSpread(topology, nodes, chosen);
    }
    assertTrue(placed > 1000, placed + " placements");
  }

  private static void assertSpread(Topology topology, int[] eligible, int[] chosen) {
    int racks = (int) Arrays.stream(eligible).map(topology::rackOf).distinct().count();
    int maximum = ReplicaDraw.maximumPerRack(chosen.length, racks);
    int[] available = perRack(topology, eligible);
    int[] used = perRack(topology, chosen);
    if (Arrays.stream(available).map(a -> Math.min(a, maximum)).sum() >= chosen.length) {
      assertTrue(
          Arrays.stream(used).allMatch(u -> u <= maximum),
          Arrays.toString(used) + " with at most " + maximum + " a rack");
    }
    if (racks > 1 && chosen.length > 1) {
      assertTrue(topology.rackOf(chosen[0]) != topology.rackOf(chosen[1]));
    }
    if (racks > 1 && chosen.length > 2 && available[topology.rackOf(chosen[1])] > 1) {
      assertEquals(topology.rackOf(chosen[1]), topology.rackOf(chosen[2]));
    }
  }

  private static int[] perRack(Topology topology, int[] nodes) {
    int[] count = new int[topology.racks()];
    Arrays.stream(nodes).forEach(node -> count[topology.rackOf(node)]++);
    return count;
  }

  @Test
  void sameSeedSamePlaces() {
    Topology topology = Topology.of(5, 4);
    for (int seed = 0; seed < 20; seed++) {
      assertArrayEquals(
          place(EligibleNodes.all(topology), -1, 3, new Random(seed)),
          place(EligibleNodes.all(topology), -1, 3, new Random(seed)));
    }
  }

  @Test
  void everyNodeGetsItsShare() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(4, 3);
    int rounds = 12_000;
    int[][] count = new int[3][topology.nodes()];
    for (int round = 0; round < rounds; round++) {
      int[] nodes = place(EligibleNodes.all(topology), -1, 3, random);
      for (int i = 0; i < 3; i++) {
        count[i][nodes[i]]++;
      }
    }
    double mean = rounds / 12.0;
    double tolerance = 6 * Math.sqrt(mean * (1 - 1 / 12.0));
    for (int[] counts : count) {
      assertTrue(
          Arrays.stream(counts).allMatch(c -> Math.abs(c - mean) < tolerance),
          Arrays.toString(counts) + " are not all near " + mean);
    }
  }

  @Test
  void refusesTooFewNodes() {
    PlacementException refusal =
        assertThrows(
            PlacementException.class,
            () ->
                place(EligibleNodes.of(Topology.of(3, 2), node -> node < 2), 0, 3, new Random(1)));
    assertEquals(
        "a block of 3 replicas needs 3 nodes, 2 are eligible: add nodes or lower the replication",
        refusal.getMessage());
    assertEquals(3, refusal.needed());
    assertEquals(2, refusal.available());
    assertEquals(
        "a block of 0 replicas, needed is 1",
        assertThrows(
                IllegalArgumentException.class,
                () -> place(EligibleNodes.all(Topology.of(3, 2)), 0, 0, new Random(1)))
            .getMessage());
  }
}
