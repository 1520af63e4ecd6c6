package org.braid.placement.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.SmallClusters;
import org.braid.placement.Topology;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class RepairPlacementTest {
  @Test
  void findsDestinationsJustWhenBruteForceDoes() {
    Random random = Seeds.random(RepairPlacementTest.class);
    int refused = 0;
    int found = 0;
    for (int round = 0; round < 3000; round++) {
      Topology topology = SmallClusters.topology(random, 3, 4);
      EligibleNodes eligible = SmallClusters.eligible(random, topology, 0.8);
      StripeLimits limits = SmallClusters.limits(random, topology);
      int[] nodeOf = new int[1 + random.nextInt(5)];
      List<Integer> lost = new ArrayList<>();
      List<Integer> survivors = new ArrayList<>();
      for (int block = 0; block < nodeOf.length; block++) {
        // Survivors may break the limits, lost blocks may still name their old node.
        nodeOf[block] = random.nextInt(topology.nodes() + 1) - 1;
        if (random.nextInt(2) == 0 || survivors.contains(nodeOf[block])) {
          lost.add(block);
        } else if (nodeOf[block] >= 0) {
          survivors.add(nodeOf[block]);
        }
      }
      if (!possible(eligible, limits, survivors, lost.size())) {
        refused++;
        assertThrows(
            PlacementException.class,
            () -> RepairPlacement.destinations(eligible, nodeOf, lost, limits, random));
        continue;
      }
      found++;
      int[] chosen = RepairPlacement.destinations(eligible, nodeOf, lost, limits, random);
      assertEquals(lost.size(), chosen.length);
      List<Integer> places = new ArrayList<>(survivors);
      for (int node : chosen) {
        assertTrue(allowed(eligible, limits, places, node), "node " + node);
        places.add(node);
      }
    }
    assertTrue(refused > 300 && found > 300, refused + " refused, " + found + " found");
  }

  private static boolean possible(
      EligibleNodes eligible, StripeLimits limits, List<Integer> places, int missing) {
    if (missing == 0) {
      return true;
    }
    for (int node = 0; node < eligible.topology().nodes(); node++) {
      if (allowed(eligible, limits, places, node)) {
        List<Integer> more = new ArrayList<>(places);
        more.add(node);
        if (possible(eligible, limits, more, missing - 1)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean allowed(
      EligibleNodes eligible, StripeLimits limits, List<Integer> places, int node) {
    Topology topology = eligible.topology();
    int rack = topology.rackOf(node);
    return eligible.contains(node)
        && !places.contains(node)
        && limits.allows(rack)
        && places.stream().filter(p -> topology.rackOf(p) == rack).count() < limits.perRack();
  }

  @Test
  void prefersRacksWithFewestBlocks() {
    Topology topology = Topology.of(4, 4);
    int[] nodeOf = {0, 1, 4, 5, 8, -1, 3};
    for (int seed = 0; seed < 50; seed++) {
      int[] chosen =
          RepairPlacement.destinations(
              EligibleNodes.all(topology),
              nodeOf,
              List.of(6, 5),
              StripeLimits.perRack(3),
              new Random(seed));
      assertEquals(3, topology.rackOf(chosen[0]));
      assertTrue(topology.rackOf(chosen[1]) == 2 || topology.rackOf(chosen[1]) == 3);
    }
  }

  @Test
  void refusesWithNumbers() {
    Topology topology = Topology.of(3, 2);
    PlacementException refusal =
        assertThrows(
            PlacementException.class,
            () ->
                RepairPlacement.destinations(
                    EligibleNodes.of(topology, node -> node < 5),
                    new int[] {0, 2, -1, -1},
                    List.of(2, 3),
                    StripeLimits.perRack(1),
                    new Random(1)));
    assertEquals(
        "no node left for a rebuilt block: 2 are to be placed, 1 find a node beside the 2 surviving"
            + " blocks with at most 1 in a rack (5 eligible nodes in 3 racks): add nodes or racks"
            + " or allow more blocks a rack",
        refusal.getMessage());
    assertEquals(2, refusal.needed());
    assertEquals(1, refusal.available());
    for (List<Integer> lost : Arrays.asList(List.of(4), List.of(1, 1), List.of(-1))) {
      assertEquals(
          "lost blocks " + lost + " must be distinct blocks of a stripe of 4",
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      RepairPlacement.destinations(
                          EligibleNodes.all(topology),
                          new int[] {0, 2, -1, -1},
                          lost,
                          StripeLimits.perRack(1),
                          new Random(1)))
              .getMessage());
    }
  }
}
