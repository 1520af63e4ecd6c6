package org.braid.placement.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.SmallClusters;
import org.braid.placement.Topology;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class StripeLimitsTest {

  @Test
  void smallestOfRegularClusters() {
    assertEquals(1, smallest(14, 4, Topology.of(20, 20)));
    assertEquals(2, smallest(9, 3, Topology.of(6, 3)));
    assertEquals(3, smallest(9, 3, Topology.of(3, 3)));
    assertEquals(9, smallest(9, 3, Topology.of(1, 9)));
    assertEquals(2, smallest(14, 4, Topology.of(13, 2)));
    assertEquals(
        1, StripeLimits.smallest("rep-1", 1, 0, EligibleNodes.all(Topology.of(1, 1))).perRack());
  }

  private static int smallest(int n, int m, Topology topology) {
    StripeLimits limits = StripeLimits.smallest("rs", n, m, EligibleNodes.all(topology));
    assertEquals(Set.of(), limits.targetRacks());
    return limits.perRack();
  }

  @Test
  void smallestAgreesWithBruteForce() {
    Random random = Seeds.random(StripeLimitsTest.class);
    int refused = 0;
    for (int round = 0; round < 500; round++) {
      Topology topology = SmallClusters.topology(random, 3, 3);
      EligibleNodes eligible = SmallClusters.eligible(random, topology, 0.8);
      int n = 1 + random.nextInt(4);
      int m = random.nextInt(4);
      int expected = 0;
      for (int c = 1; c <= (topology.racks() == 1 ? n : m) && expected == 0; c++) {
        StripeLimits limits = StripeLimits.perRack(c);
        if (SmallClusters.fewestRelocations(eligible, limits, List.of(), n) == 0) {
          expected = c;
        }
      }
      if (expected > 0) {
        assertEquals(expected, StripeLimits.smallest("x", n, m, eligible).perRack());
      } else {
        refused++;
        assertThrows(PlacementException.class, () -> StripeLimits.smallest("x", n, m, eligible));
      }
    }
    assertTrue(refused > 20 && refused < 450, refused + " of 500 refused: a test of one case only");
  }

  @Test
  void refusesTooFewNodes() {
    PlacementException refusal =
        refusal(
            () ->
                StripeLimits.smallest(
                    "rs-10-4", 14, 4, EligibleNodes.of(Topology.of(3, 4), n -> n % 2 == 0)));
    assertEquals(
        "rs-10-4 needs 14 nodes for the 14 blocks of a stripe, 6 are live: add nodes or choose a"
            + " code with n <= 6",
        refusal.getMessage());
    assertEquals("nodes", refusal.what());
    assertEquals(14, refusal.needed());
    assertEquals(6, refusal.available());
  }

  @Test
  void refusesToLoseDataWithARack() {
    PlacementException refusal =
        refusal(
            () -> StripeLimits.smallest("rs-10-4", 14, 4, EligibleNodes.all(Topology.of(2, 10))));
    assertEquals(
        "rs-10-4 needs places for the 14 blocks of a stripe with at most 4 in a rack, so that the"
            + " loss of a rack loses no data, the 20 live nodes in 2 racks give 8: add racks, add"
            + " nodes to the small racks or choose a code with fewer blocks or more parities",
        refusal.getMessage());
    assertEquals(14, refusal.needed());
    assertEquals(8, refusal.available());
  }

  @Test
  void deadRackIsNoExcuseForOneRack() {
    Topology topology = Topology.of(2, 9);
    EligibleNodes firstRack = EligibleNodes.of(topology, node -> topology.rackOf(node) == 0);
    PlacementException refusal = refusal(() -> StripeLimits.smallest("rs-6-3", 9, 3, firstRack));
    assertEquals(3, refusal.available());
  }

  @Test
  void checksGivenLimits() {
    Topology topology = Topology.of(6, 4);
    new StripeLimits(3, Set.of(1, 4)).check("rs-3-3", 6, EligibleNodes.all(topology));
    assertEquals(
        "rs-3-3 needs 3 racks for the 6 blocks of a stripe with at most 2 in a rack, it may use 2:"
            + " add target racks or allow more blocks a rack",
        refusal(
                () ->
                    new StripeLimits(2, Set.of(1, 4))
                        .check("rs-3-3", 6, EligibleNodes.all(topology)))
            .getMessage());
    assertEquals(
        "rs-3-3 needs places for the 6 blocks of a stripe with at most 3 in a rack, the 22 live"
            + " nodes in 6 racks (2 racks are targets of the stripe) give 5: add nodes to the small"
            + " racks or allow more blocks a rack",
        refusal(
                () ->
                    new StripeLimits(3, Set.of(0, 4))
                        .check("rs-3-3", 6, EligibleNodes.of(topology, node -> node > 1)))
            .getMessage());
    assertEquals(
        "rs-3-3 needs 6 nodes for the 6 blocks of a stripe, 5 are live: add nodes or choose a code"
            + " with n <= 5",
        refusal(
                () ->
                    StripeLimits.perRack(6)
                        .check("rs-3-3", 6, EligibleNodes.of(topology, node -> node < 5)))
            .getMessage());
    assertEquals(
        "rs-3-3 needs 6 nodes for the 6 blocks of a stripe, 1 is live: add nodes",
        refusal(
                () ->
                    StripeLimits.perRack(6)
                        .check("rs-3-3", 6, EligibleNodes.of(topology, node -> node == 5)))
            .getMessage());
    assertEquals(
        "target rack 6 is not among the 6 racks",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    new StripeLimits(3, Set.of(0, 6))
                        .check("rs-3-3", 6, EligibleNodes.all(topology)))
            .getMessage());
    assertEquals(
        "a rack may hold 0 blocks of a stripe, needed is 1 or more",
        assertThrows(IllegalArgumentException.class, () -> StripeLimits.perRack(0)).getMessage());
  }

  @Test
  void toleratedRacks() {
    assertEquals(4, StripeLimits.perRack(1).toleratedRacks(4));
    assertEquals(1, StripeLimits.perRack(3).toleratedRacks(4));
    assertEquals(0, StripeLimits.perRack(5).toleratedRacks(4));
  }

  private static PlacementException refusal(org.junit.jupiter.api.function.Executable use) {
    return assertThrows(PlacementException.class, use);
  }
}
