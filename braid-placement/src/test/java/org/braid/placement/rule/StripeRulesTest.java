package org.braid.placement.rule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class StripeRulesTest {
  private static final String GRID = "rstair-n5-r4-m1-e2-l1";

  private record Case(StripeRule rule, Topology topology) {
    static Case of(String code, int perRack, Topology topology) {
      return new Case(StripeRules.of(Codes.named(code), StripeLimits.perRack(perRack)), topology);
    }

    int[] places(Random random) {
      ErasureCode code = rule.code();
      List<int[]> nowhere = IntStream.range(0, code.k()).mapToObj(i -> new int[0]).toList();
      EncodedStripe layout = rule.layout(EligibleNodes.all(topology), nowhere, random);
      return layout.nodes();
    }

    Map<Integer, String> breaches(int[] nodeOf) {
      return rule.breaches(
          topology,
          nodeOf,
          IntStream.range(0, nodeOf.length).filter(b -> nodeOf[b] >= 0).boxed().toList());
    }
  }

  private static List<Case> cases() {
    return List.of(
        Case.of("rs-6-3", 1, Topology.of(10, 3)),
        Case.of("lrc-10-2-2", 2, Topology.of(8, 4)),
        Case.of("flr-n14-g4-l2", 2, Topology.of(9, 3)),
        Case.of(GRID, 1, Topology.of(7, 6)),
        Case.of("stair-n4-r3-m1-e1-l0", 1, Topology.of(5, 4)));
  }

  /** What is laid out and what is rebuilt keeps the rule, and each block fits beside the others. */
  @Test
  void layoutsAndRepairsBreakNothing() {
    Random random = Seeds.random(getClass());
    for (Case one : cases()) {
      for (int round = 0; round < 30; round++) {
        int[] nodes = one.places(random);
        List<Integer> order = new ArrayList<>(IntStream.range(0, nodes.length).boxed().toList());
        Collections.shuffle(order, random);
        List<Integer> lost = order.subList(0, 1 + random.nextInt(2));
        int[] chosen =
            one.rule.destinations(
                EligibleNodes.of(one.topology, n -> n != nodes[lost.get(0)]), nodes, lost, random);
        for (int i = 0; i < chosen.length; i++) {
          nodes[lost.get(i)] = chosen[i];
        }
        assertEquals(Map.of(), one.breaches(nodes));
        for (int block = 0; block < nodes.length; block++) {
          assertTrue(one.rule.fits(one.topology, nodes, block, nodes[block]));
        }
      }
    }
  }

  /** Moving a block to a random node is a breach exactly if the node did not fit. */
  @Test
  void aBlockThatDoesNotFitIsABreach() {
    Random random = Seeds.random(getClass());
    int refused = 0;
    for (Case one : cases()) {
      for (int round = 0; round < 200; round++) {
        int[] nodes = one.places(random);
        int block = random.nextInt(nodes.length);
        int to = random.nextInt(one.topology.nodes());
        boolean fits = one.rule.fits(one.topology, nodes, block, to);
        nodes[block] = to;
        List<Integer> claims =
            new ArrayList<>(
                IntStream.range(0, nodes.length).filter(b -> b != block).boxed().toList());
        claims.add(block);
        Map<Integer, String> breaches = one.rule.breaches(one.topology, nodes, claims);
        assertEquals(fits ? List.of() : List.of(block), List.copyOf(breaches.keySet()));
        if (!fits) {
          refused++;
          int back =
              one.rule
                  .destinations(EligibleNodes.all(one.topology), nodes, List.of(block), random)[0];
          nodes[block] = back;
          assertEquals(Map.of(), one.breaches(nodes));
        }
      }
    }
    assertTrue(refused > 100, refused + " moves were refused");
  }

  @Test
  void aBlockInAnUnknownRackMayBeAnywhere() {
    Random random = Seeds.random(getClass());
    Case racks = Case.of("rs-6-3", 1, Topology.of(10, 3));
    int[] nodes = racks.places(random);
    assertTrue(racks.rule.fits(racks.topology, nodes, 0, nodes[0]));
    nodes[5] = StripeRule.UNKNOWN;
    assertFalse(racks.rule.fits(racks.topology, nodes, 0, nodes[0]));

    Case grid = Case.of(GRID, 1, Topology.of(6, 5));
    int[] places = grid.places(random);
    List<Integer> column = ColumnPlacement.columns(grid.rule.code()).get(0);
    int first = column.get(0);
    places[column.get(1)] = StripeRule.UNKNOWN;
    assertTrue(grid.rule.fits(grid.topology, places, first, places[first]), "others say where");
    column.stream().skip(1).forEach(block -> places[block] = StripeRule.UNKNOWN);
    assertFalse(grid.rule.fits(grid.topology, places, first, places[first]));
  }

  @Test
  void breachesSayWhatIsWrong() {
    Case racks = Case.of("rs-2-2", 1, Topology.of(5, 2));
    assertEquals(
        Map.of(1, "rack r0 holds 2 of its blocks, at most 1 are promised"),
        racks.breaches(new int[] {0, 1, 2, -1}));
    assertEquals(
        Map.of(2, "node r1n0 holds 2 of its blocks, at most 1 is promised"),
        Case.of("rs-2-2", 2, Topology.of(5, 2)).breaches(new int[] {0, 2, 2, -1}));
    Case grid = Case.of(GRID, 1, Topology.of(6, 5));
    int[] nodes = grid.places(new Random(3));
    List<List<Integer>> columns = ColumnPlacement.columns(grid.rule.code());
    int moved = columns.get(1).get(0);
    int home = grid.topology.rackOf(nodes[moved]);
    int away = IntStream.range(0, 30).filter(n -> n / 5 != home).findFirst().orElseThrow();
    nodes[moved] = away;
    assertEquals(
        Map.of(
            moved,
            "rack r%d holds a block of the column of rack r%d, each of its 5 columns is promised a rack"
                .formatted(away / 5, home)),
        grid.breaches(nodes));
  }

  @Test
  void twoColumnsDoNotShareARack() {
    Case grid = Case.of(GRID, 1, Topology.of(6, 9));
    int[] nodes = grid.places(new Random(4));
    List<List<Integer>> columns = ColumnPlacement.columns(grid.rule.code());
    int rack = grid.topology.rackOf(nodes[columns.get(0).get(0)]);
    int free = rack * 9;
    for (int block : columns.get(1)) {
      int taken;
      do {
        taken = free++;
        int node = taken;
        if (Arrays.stream(nodes).noneMatch(n -> n == node)) {
          break;
        }
      } while (true);
      nodes[block] = taken;
    }
    Map<Integer, String> breaches = grid.breaches(nodes);
    assertEquals(columns.get(1), List.copyOf(breaches.keySet()));
    assertEquals(
        "rack r%d holds blocks of two columns, each of its 5 columns is promised a rack of its own"
            .formatted(rack),
        breaches.get(columns.get(1).get(0)));
    int[] back =
        grid.rule.destinations(
            EligibleNodes.all(grid.topology), nodes, columns.get(1), new Random(5));
    for (int i = 0; i < back.length; i++) {
      nodes[columns.get(1).get(i)] = back[i];
    }
    assertEquals(Map.of(), grid.breaches(nodes));
  }

  @Test
  void whatAClusterCannotPromiseIsRefusedWithNumbers() {
    ErasureCode grid = Codes.named(GRID);
    assertRefused(
        grid,
        OptionalInt.empty(),
        Topology.of(12, 2),
        GRID
            + " needs 5 racks of 4 nodes, one for each column of its grid, 0 racks that it may use"
            + " have so many: add racks, or nodes to the small ones, or choose a code with a"
            + " smaller grid");
    assertRefused(
        grid,
        OptionalInt.of(2),
        Topology.of(5, 5),
        GRID
            + " keeps each column of its stripe, 4 blocks, in a rack of its own, 2 blocks a rack"
            + " cannot be had: leave their number to the code");
    assertRefused(
        Codes.named("rs-6-3"),
        OptionalInt.of(4),
        Topology.of(5, 5),
        "4 blocks of a stripe a rack are more than the 3 losses that rs-6-3 survives, so that one"
            + " rack could take data with it: allow at most 3 a rack");
    assertEquals(4, on(grid, OptionalInt.of(4), Topology.of(5, 4)).perRack());
    assertEquals(2, on(Codes.named("rs-6-3"), OptionalInt.empty(), Topology.of(5, 2)).perRack());
  }

  private static StripeRule on(ErasureCode code, OptionalInt perRack, Topology topology) {
    return StripeRules.on(code, perRack, EligibleNodes.all(topology));
  }

  private static void assertRefused(
      ErasureCode code, OptionalInt perRack, Topology topology, String message) {
    assertEquals(
        message,
        assertThrows(PlacementException.class, () -> on(code, perRack, topology)).getMessage());
  }

  @Test
  void aFullRackOfAColumnIsNamed() {
    Case grid = Case.of(GRID, 1, Topology.of(6, 4));
    int[] nodes = grid.places(new Random(6));
    int rack = grid.topology.rackOf(nodes[0]);
    String message =
        assertThrows(
                PlacementException.class,
                () ->
                    grid.rule.destinations(
                        EligibleNodes.of(grid.topology, n -> n != nodes[0]),
                        nodes,
                        List.of(0),
                        new Random(7)))
            .getMessage();
    assertEquals(
        "no node left for a rebuilt block: 1 blocks of a column belong in rack r"
            + rack
            + " beside the others of that column, it has 0 eligible nodes without a block of the"
            + " stripe: add nodes to that rack",
        message);
  }

  /** A block stays where it has a replica if it may, else it goes where it is rebuilt. */
  @Test
  void blocksWithoutAPlaceStayAtReplicas() {
    Random random = Seeds.random(getClass());
    int stayed = 0;
    int moved = 0;
    for (Case one : cases()) {
      for (int round = 0; round < 30; round++) {
        int[] nodes = one.places(random);
        int block = random.nextInt(nodes.length);
        int gone = nodes[block];
        EligibleNodes others = EligibleNodes.of(one.topology, n -> n != gone);
        int[] replicas = random.ints(2, 0, one.topology.nodes()).filter(n -> n != gone).toArray();
        int chosen =
            RepairPlacement.atReplicas(
                one.rule, others, nodes, List.of(block), List.of(replicas), random)[0];
        boolean stays = Arrays.stream(replicas).anyMatch(n -> n == chosen);
        assertTrue(
            stays
                || Arrays.stream(replicas)
                    .noneMatch(n -> one.rule.fits(one.topology, nodes, block, n)),
            one.rule + ": block " + block + " of " + Arrays.toString(nodes));
        nodes[block] = chosen;
        assertEquals(Map.of(), one.breaches(nodes));
        stayed += stays ? 1 : 0;
        moved += stays ? 0 : 1;
      }
    }
    assertTrue(stayed > 10 && moved > 10, stayed + " stayed, " + moved + " moved");
  }

  /** The node of a replica may keep that replica though it has no room for another block. */
  @Test
  void aReplicaStaysOnANodeWithoutRoom() {
    Case one = Case.of("rs-2-1", 1, Topology.of(3, 2));
    int[] nodes = {0, 2, 4};
    EligibleNodes others = EligibleNodes.of(one.topology, n -> n == 0 || n == 4);
    int[] chosen =
        RepairPlacement.atReplicas(
            one.rule, others, nodes, List.of(1), List.of(new int[] {1, 3}), new Random(1));
    assertEquals(3, chosen[0]);
  }

  /** A replica in a rack with room for this block alone would leave the rest of the column none. */
  @Test
  void aReplicaInTheWayOfOthersGoes() {
    Case one = Case.of("stair-n4-r3-m1-e1-l0", 1, Topology.of(6, 3));
    int[] nodes = one.places(new Random(1));
    int rack = one.topology.rackOf(nodes[0]);
    List<Integer> column =
        IntStream.range(0, nodes.length)
            .filter(block -> one.topology.rackOf(nodes[block]) == rack)
            .boxed()
            .toList();
    List<Integer> free =
        IntStream.range(0, one.topology.racks())
            .filter(r -> Arrays.stream(nodes).noneMatch(n -> one.topology.rackOf(n) == r))
            .boxed()
            .toList();
    assertEquals(2, free.size());
    int narrow = one.topology.nodesIn(free.get(0)).get(0);
    EligibleNodes eligible =
        EligibleNodes.of(one.topology, n -> n == narrow || one.topology.rackOf(n) == free.get(1));
    List<int[]> replicas = new ArrayList<>(Collections.nCopies(column.size(), new int[0]));
    replicas.set(0, new int[] {narrow});
    int[] chosen =
        RepairPlacement.atReplicas(one.rule, eligible, nodes, column, replicas, new Random(1));
    for (int node : chosen) {
      assertEquals(free.get(1), one.topology.rackOf(node));
    }
  }

  /** The first block may stay at two places, one of which is the only one for the second block. */
  @Test
  void aReplicaInTheWayOfAnotherReplicaGoes() {
    Case one = Case.of("rs-2-1", 1, Topology.of(4, 1));
    EligibleNodes full = EligibleNodes.of(one.topology, n -> n == 2);
    int[] chosen =
        RepairPlacement.atReplicas(
            one.rule,
            full,
            new int[] {0, 1, 2},
            List.of(0, 1),
            List.of(new int[] {3, 0}, new int[] {3}),
            new Random(1));
    assertArrayEquals(new int[] {0, 3}, chosen);
  }
}
