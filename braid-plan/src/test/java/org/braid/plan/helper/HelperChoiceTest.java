package org.braid.plan.helper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.derive.NotRepairableException;
import org.braid.code.derive.ParityCopies;
import org.braid.code.derive.RepairSearch.Effort;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.TestRepairs;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.cost.PlanTime;
import org.braid.plan.shape.HelperOrder;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class HelperChoiceTest {
  private static HelperChoice choice(
      ErasureCode code, List<Integer> lost, IntUnaryOperator nodeOf, int root, Topology topology) {
    List<Integer> alive =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    return new HelperChoice(code, lost, alive, nodeOf, block -> root, Network.of(topology));
  }

  private static double crossRack(HelperChoice choice, String shape, int alpha, Topology topology) {
    Plan plan = choice.plan(RepairPlanners.named(shape)).orElseThrow();
    return PlanCost.of(plan, alpha, topology).crossRack();
  }

  @Test
  void theRootsRackComesFirstThenTheFullestRacks() {
    // Racks of blocks: 0: 0-3, 1: 4, 2: 5-8; block 0 is lost, its root stands in rack 0.
    ErasureCode code = Codes.named("rs-6-3");
    Topology topology =
        Topology.builder()
            .add("a0", "a")
            .add("a1", "a")
            .add("a2", "a")
            .add("a3", "a")
            .add("b0", "b")
            .add("c0", "c")
            .add("c1", "c")
            .add("c2", "c")
            .add("c3", "c")
            .add("a4", "a")
            .build();
    HelperChoice choice = choice(code, List.of(0), b -> b, 9, topology);
    assertEquals(3, crossRack(choice, "star", 1, topology));
    // Three of rack c will do, rack b is not touched: one stream.
    assertEquals(1, crossRack(choice, "chain", 1, topology));
    assertEquals(1, crossRack(choice, "racktree", 1, topology));
  }

  @Test
  void localGroupsAreUsedWhereTheyCrossLess() {
    ErasureCode code = Codes.named("lrc-12-2-2");
    Topology topology = Topology.of(4, 5);
    // Round the racks: rack of block b is b % 4.
    IntUnaryOperator nodeOf = b -> b % 4 * 5 + b / 4;
    HelperChoice choice = choice(code, List.of(0), nodeOf, 4, topology);
    assertEquals(4, crossRack(choice, "star", 1, topology), "blocks 4 and 12 are in the rack");
    assertEquals(6, PlanCost.of(plan(choice, "star"), 1, topology).total());
  }

  private static Plan plan(HelperChoice choice, String shape) {
    return choice.plan(RepairPlanners.named(shape)).orElseThrow();
  }

  /**
   * With copies of parity the nearest one helps; a lost copy is read from another, and that alone.
   */
  @Test
  void theNearestCopyOfAParityHelps() {
    Topology topology = Topology.of(3, 2, 4);
    ErasureCode lrc = new ParityCopies(Codes.named("lrc-4-2-2"), 2);
    // Blocks 0 and 1 with their parity 4 are far from each other, its copy 8 is in the root's rack.
    int[] nodeOf = {0, 8, 9, 16, 17, 10, 18, 11, 1, 19, 2, 20};
    HelperChoice choice = choice(lrc, List.of(0), b -> nodeOf[b], 3, topology);
    assertEquals(List.of(1, 8), readBlocks(plan(choice, "star")));
    ErasureCode rs = new ParityCopies(Codes.named("rs-4-2"), 2);
    int[] places = {0, 8, 16, 4, 9, 17, 5, 1};
    assertEquals(List.of(3, 6, 7), readBlocks(plan(rs, List.of(0), places)).subList(1, 4));
    assertEquals(List.of(7), readBlocks(plan(rs, List.of(5), places)));
  }

  private static Plan plan(ErasureCode code, List<Integer> lost, int[] nodeOf) {
    return plan(choice(code, lost, b -> nodeOf[b], 3, Topology.of(3, 2, 4)), "star");
  }

  private static List<Integer> readBlocks(Plan plan) {
    return plan.steps().stream()
        .filter(Step.Read.class::isInstance)
        .map(step -> ((Step.Read) step).source().block())
        .sorted()
        .toList();
  }

  @Test
  void rackCodesRepairInsideTheirRack() {
    ErasureCode code = Codes.named("rstair-n5-r4-m1-e2-l1");
    Topology topology = Topology.of(5, 5);
    int[] seen = new int[5];
    int[] nodeOf =
        IntStream.range(0, code.n())
            .map(b -> code.racks().orElseThrow().get(b))
            .map(rack -> rack * 5 + seen[rack]++)
            .toArray();
    HelperChoice choice = choice(code, List.of(0), b -> nodeOf[b], 4, topology);
    for (RepairPlanner planner : RepairPlanners.all()) {
      assertEquals(0, crossRack(choice, planner.name(), 1, topology), planner.name());
    }
  }

  /** A node takes blocks of several columns with it, as after several repairs at once. */
  @Test
  void severalLostBlocksAreEachRepairedInTheirRack() {
    ErasureCode code = Codes.named("rstair-n5-r4-m1-e2-l1");
    List<Integer> rackOf = code.racks().orElseThrow();
    Topology topology = Topology.of(5, 6);
    int[] seen = new int[5];
    int[] nodeOf = rackOf.stream().mapToInt(rack -> rack * 6 + seen[rack]++).toArray();
    List<Integer> lost = List.of(0, 1, 6, 15, 17);
    List<Integer> alive =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    HelperChoice choice =
        new HelperChoice(
            code, lost, alive, b -> nodeOf[b], b -> rackOf.get(b) * 6 + 4, Network.of(topology));
    for (RepairPlanner planner : RepairPlanners.all()) {
      assertEquals(0, crossRack(choice, planner.name(), 1, topology), planner.name());
      assertEquals(15, PlanCost.of(plan(choice, planner.name()), 1, topology).total());
    }
  }

  /** Rows of MXOR at two sites, its horizontal parities at a third (Geo-MXOR section VII-D). */
  @Test
  void sitesAreCrossedLeast() {
    ErasureCode code = Codes.named("mxor-10-7");
    Topology topology = Topology.of(3, 3, 3);
    List<List<Integer>> groups = org.braid.placement.site.LocalityGroups.of(code);
    int[] nodeOf = new int[code.n()];
    int[] next = new int[3];
    for (int group = 0; group < groups.size(); group++) {
      for (int block : groups.get(group)) {
        int site = group % 3;
        // Round the racks of the site.
        nodeOf[block] = site * 9 + next[site] % 3 * 3 + next[site]++ / 3;
      }
    }
    for (int block = 0; block < code.k(); block++) {
      int root = nodeOf[block] / 9 * 9 + 8;
      HelperChoice choice = choice(code, List.of(block), b -> nodeOf[b], root, topology);
      for (RepairPlanner planner : RepairPlanners.all()) {
        Plan plan = plan(choice, planner.name());
        assertEquals(0, PlanCost.siteCrossings(plan, Network.of(topology)), planner.name());
      }
    }
  }

  @Test
  void aSiteSendsOneStream() {
    ErasureCode code = Codes.named("rs-10-4");
    Topology topology = Topology.of(3, 3, 2);
    // Blocks round the nodes, the root at the first site.
    HelperChoice choice = choice(code, List.of(0), b -> b, 0, topology);
    Plan tree = plan(choice, "racktree");
    Plan chain = plan(choice, "chain");
    assertEquals(1, PlanCost.siteCrossings(tree, Network.of(topology)));
    assertEquals(1, PlanCost.siteCrossings(chain, Network.of(topology)));
    assertEquals(5, PlanCost.siteCrossings(plan(choice, "star"), Network.of(topology)));
  }

  @Test
  void readsThatTheCodeNamesSaveTraffic() {
    ErasureCode code = Codes.named("clay-4-2-5");
    Topology topology = Topology.of(7, 1);
    HelperChoice choice = choice(code, List.of(0), b -> b, 6, topology);
    assertEquals(2.5, crossRack(choice, "star", code.alpha(), topology), "5 helpers send a half");
    assertEquals(
        4,
        PlanCost.of(plan(choice, "chain"), code.alpha(), topology).total(),
        "any 4 blocks are less than sums of 5 halves, 4.5");
  }

  @Test
  void autoIsTheFastestShape() {
    ErasureCode code = Codes.named("rs-6-3");
    HelperChoice choice = choice(code, List.of(0, 7), b -> b, 9, Topology.of(5, 2));
    Plan auto = plan(choice, "auto");
    double least =
        RepairPlanners.shapes().stream()
            .mapToDouble(
                s -> PlanTime.seconds(plan(choice, s.name()), Network.of(Topology.of(5, 2))))
            .min()
            .orElseThrow();
    assertEquals(least, PlanTime.seconds(auto, Network.of(Topology.of(5, 2))), 1e-9);
  }

  /**
   * All sets of k helpers are planned. None crosses fewer sites. In a cluster of one site none
   * crosses fewer racks; over several sites, where the root's site comes first whatever its racks,
   * few do.
   */
  @Test
  void otherHelpersCrossNoLess() {
    Random random = Seeds.random(HelperChoiceTest.class);
    ErasureCode code = Codes.named("rs-6-3");
    long chosenRacks = 0;
    long leastRacks = 0;
    for (int round = 0; round < 100; round++) {
      Topology topology = round % 2 == 0 ? Topology.of(4, 4) : Topology.of(3, 2, 3);
      Network network = Network.of(topology);
      List<Integer> nodes = new ArrayList<>(IntStream.range(0, topology.nodes()).boxed().toList());
      Collections.shuffle(nodes, random);
      int lost = random.nextInt(code.n());
      int root = nodes.get(lost);
      HelperChoice choice = choice(code, List.of(lost), nodes::get, root, topology);
      for (String shape : List.of("star", "chain", "racktree")) {
        Plan chosen = plan(choice, shape);
        Plan least =
            subsets(code.n(), code.k(), lost).stream()
                .map(
                    helpers ->
                        HelperOrder.plan(
                            RepairPlanners.named(shape),
                            Solver.solve(code, List.of(lost), List.copyOf(helpers)).orElseThrow(),
                            nodes::get,
                            block -> root,
                            network))
                .min(
                    Comparator.<Plan>comparingLong(plan -> PlanCost.siteCrossings(plan, network))
                        .thenComparingLong(plan -> PlanCost.crossings(plan, network)))
                .orElseThrow();
        String where = shape + " of " + lost + " at " + nodes;
        assertEquals(
            PlanCost.siteCrossings(least, network), PlanCost.siteCrossings(chosen, network), where);
        if (topology.sites() == 1) {
          assertEquals(
              PlanCost.crossings(least, network), PlanCost.crossings(chosen, network), where);
        }
        chosenRacks += PlanCost.crossings(chosen, network);
        leastRacks += PlanCost.crossings(least, network);
      }
    }
    assertTrue(chosenRacks <= 1.05 * leastRacks, chosenRacks + " and " + leastRacks);
  }

  private static List<Set<Integer>> subsets(int n, int k, int without) {
    return IntStream.range(0, 1 << n)
        .filter(bits -> Integer.bitCount(bits) == k && (bits >> without & 1) == 0)
        .mapToObj(
            bits ->
                IntStream.range(0, n)
                    .filter(block -> (bits >> block & 1) == 1)
                    .boxed()
                    .collect(Collectors.toSet()))
        .toList();
  }

  /**
   * Weights decide among helpers that cross as little; doubtful blocks are read only when needed.
   */
  @Test
  void preferencesAreFollowed() {
    ErasureCode code = Codes.named("rs-3-2");
    Topology topology = Topology.of(1, 6);
    HelperChoice choice = choice(code, List.of(0), b -> b, 5, topology);
    HelperPreference heavy = HelperPreference.nearestByWeight(block -> block);
    assertEquals(List.of(2, 3, 4), readBlocks(plan(preferring(choice, heavy), "chain")));
    assertEquals(
        List.of(1, 3, 4), readBlocks(plan(preferring(choice, heavy.avoiding(Set.of(2))), "chain")));
    assertEquals(
        List.of(2, 3, 4),
        readBlocks(plan(preferring(choice, heavy.avoiding(Set.of(1, 2))), "chain")));
    // Block 4 is the lightest, and alone in the root's rack: a star reads it, by weight it does
    // not.
    Topology racks = Topology.of(2, 5);
    HelperChoice apart = choice(code, List.of(0), b -> b == 4 ? 5 : b, 6, racks);
    HelperPreference near = HelperPreference.nearestByWeight(block -> -block);
    HelperPreference far = HelperPreference.byWeight(block -> -block);
    assertEquals(List.of(1, 2, 4), readBlocks(plan(preferring(apart, near), "star")));
    assertEquals(List.of(1, 2, 3), readBlocks(plan(preferring(apart, far), "star")));
  }

  private static HelperChoice preferring(HelperChoice choice, HelperPreference preference) {
    return choice.preferring(preference, new KnownRepairs());
  }

  @Test
  void refusesWhatCannotBeRepaired() {
    ErasureCode code = Codes.named("rs-3-2");
    HelperChoice choice = choice(code, List.of(0, 1, 2), b -> b, 5, Topology.of(6, 1));
    assertTrue(choice.plan(RepairPlanners.named("auto")).isEmpty());
    String message =
        assertThrows(NotRepairableException.class, () -> choice.search(Effort.MANY)).getMessage();
    assertEquals(
        "blocks [0, 1, 2] of rs-3-2 cannot be rebuilt from the 2 blocks alive: at least 1 more is"
            + " needed",
        message);
    assertEquals(
        "no block is lost, so there is nothing to repair",
        TestRepairs.refusal(() -> choice(code, List.of(), b -> b, 5, Topology.of(6, 1))));
  }
}
