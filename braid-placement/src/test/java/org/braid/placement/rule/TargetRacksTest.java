package org.braid.placement.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class TargetRacksTest {
  /** Racks a, b and c of four nodes, d of two. */
  private static Topology unequal() {
    Topology.Builder builder = Topology.builder();
    for (String rack : List.of("a", "b", "c", "d")) {
      for (int node = 0; node < (rack.equals("d") ? 2 : 4); node++) {
        builder.add(rack + node, rack);
      }
    }
    return builder.build();
  }

  /** The small rack keeps more blocks than the third large one, and then the parities lack room. */
  @Test
  void aStripeFitsIntoTheRacksThatKeepMostBlocks() {
    Topology topology = unequal();
    EligibleNodes nodes = EligibleNodes.all(topology);
    int a = 0;
    int b = 4;
    int d = 12;
    List<int[]> replicas =
        List.of(
            new int[] {a},
            new int[] {a + 1},
            new int[] {a + 2},
            new int[] {d},
            new int[] {d + 1},
            new int[] {b});
    Set<Integer> chosen = TargetRacks.keeping(nodes, replicas, 3, need(9));
    assertEquals(Set.of(0, 1, 2), chosen);
    StripeLimits limits = new StripeLimits(3, chosen);
    EncodedStripe stripe =
        StripePlacement.layout(nodes, replicas, 3, limits, Seeds.random(getClass()));
    assertEquals(2, stripe.relocated().size());
    // A short stripe has room in the small rack, and moves less.
    Set<Integer> few = TargetRacks.keeping(nodes, replicas.subList(0, 5), 3, need(8));
    assertTrue(few.contains(3), few.toString());
  }

  /** Where it fits nowhere, the choice is as it was: who lays the stripe says what is missing. */
  @Test
  void tooFewPlacesAreForOthersToRefuse() {
    EligibleNodes nodes = EligibleNodes.all(unequal());
    assertEquals(3, TargetRacks.keeping(nodes, List.of(new int[] {12}), 3, need(20)).size());
    assertEquals(3, TargetRacks.random(nodes, 3, need(20), Seeds.random(getClass())).size());
  }

  @Test
  void randomRacksHaveRoomForAStripe() {
    EligibleNodes nodes = EligibleNodes.all(unequal());
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 100; round++) {
      Set<Integer> racks = TargetRacks.random(nodes, 3, need(9), random);
      assertEquals(Set.of(0, 1, 2), racks);
      assertEquals(3, TargetRacks.random(nodes, 3, need(8), random).size());
    }
  }

  @Test
  void tooFewRacksWithNodesAreToldWithNumbers() {
    for (int live : new int[] {0, 1}) {
      EligibleNodes nodes = EligibleNodes.of(unequal(), node -> node < live);
      assertEquals(
          "a stripe is to use 3 target racks, the racks with nodes that may get blocks are "
              + live
              + ": start nodes there, add racks or name fewer target racks",
          assertThrows(PlacementException.class, () -> TargetRacks.largest(nodes, 3)).getMessage());
    }
    EligibleNodes all = EligibleNodes.all(unequal());
    assertEquals(
        "0 target racks, needed is 1",
        assertThrows(PlacementException.class, () -> TargetRacks.largest(all, 0)).getMessage());
  }

  private static TargetRacks.Need need(int blocks) {
    return new TargetRacks.Need(3, blocks, false);
  }

  /** Many racks with a node less than a column have places enough, and room for no column. */
  @Test
  void columnsOfAGridFindWholeRacks() {
    Topology.Builder builder = Topology.builder();
    for (int rack = 0; rack < 6; rack++) {
      for (int node = 0; node < (rack < 3 ? 3 : 4); node++) {
        builder.add(rack + "-" + node, "r" + rack);
      }
    }
    EligibleNodes nodes = EligibleNodes.all(builder.build());
    TargetRacks.Need two = new TargetRacks.Need(4, 8, true);
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 100; round++) {
      Set<Integer> racks = TargetRacks.random(nodes, 3, two, random);
      assertTrue(racks.stream().filter(rack -> rack >= 3).count() >= 2, racks.toString());
    }
    List<int[]> small = List.of(new int[] {0}, new int[] {3}, new int[] {6});
    Set<Integer> kept = TargetRacks.keeping(nodes, small, 3, two);
    assertTrue(kept.stream().filter(rack -> rack >= 3).count() >= 2, kept.toString());
  }
}
