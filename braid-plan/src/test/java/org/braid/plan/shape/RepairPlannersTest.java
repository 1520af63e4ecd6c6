package org.braid.plan.shape;

import static org.braid.plan.TestRepairs.sumOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.placement.Topology;
import org.braid.plan.Operation;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.TestRepairs;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.junit.jupiter.api.Test;

final class RepairPlannersTest {
  private static final int ROOT = 7;

  private static List<String> sends(Plan plan) {
    return plan.steps().stream()
        .filter(Step.Send.class::isInstance)
        .map(Step.Send.class::cast)
        .map(send -> send.from() + ">" + send.node())
        .toList();
  }

  private static Plan plan(String shape, List<Equation> equations, int root) {
    return RepairPlanners.named(shape).plan(equations, IntUnaryOperator.identity(), root);
  }

  @Test
  void theRegistryNamesWhatItKnows() {
    for (RepairPlanner planner : RepairPlanners.all()) {
      assertEquals(planner, RepairPlanners.named(planner.name()));
    }
    String message =
        assertThrows(IllegalArgumentException.class, () -> RepairPlanners.named("ring"))
            .getMessage();
    assertEquals(
        "unknown repair planner \"ring\"; known: star, ppr, chain, racktree, auto", message);
  }

  @Test
  void starBringsEverythingToTheRoot() {
    assertEquals(List.of("1>7", "2>7", "3>7"), sends(plan("star", List.of(sumOf(3)), ROOT)));
  }

  @Test
  void pprIsThePapersFigure2() {
    // Servers S2, S3, S4 hold the helpers, S7 repairs: S2 > S3 and S4 > S7, then S3 > S7.
    Equation lost = sumOf(0, 2, 3, 4);
    assertEquals(List.of("2>3", "4>7", "3>7"), sends(plan("ppr", List.of(lost), ROOT)));
  }

  @Test
  void chainGoesFromHelperToHelper() {
    assertEquals(List.of("1>2", "2>3", "3>7"), sends(plan("chain", List.of(sumOf(3)), ROOT)));
  }

  @Test
  void helpersMultiplyBeforeTheySend() {
    Plan ppr = plan("ppr", List.of(sumOf(3)), ROOT);
    assertEquals(
        new Operation.Combine(List.of(3), Matrix.of(1, 1, 2), List.of(0)),
        ppr.fragment(1).ops().get(1));
    Plan chain = plan("chain", List.of(sumOf(3)), ROOT);
    Operation.Combine adds = (Operation.Combine) chain.fragment(2).ops().get(2);
    assertEquals(Matrix.of(1, 2, 1, 3), adds.coefficients());
    assertEquals(
        List.of(Operation.Receive.class, Operation.Store.class),
        chain.fragment(ROOT).ops().stream().map(Object::getClass).toList());
  }

  @Test
  void aHelperAtTheRootSendsNothing() {
    for (RepairPlanner planner : RepairPlanners.all()) {
      Plan plan = plan(planner.name(), List.of(sumOf(3)), 2);
      assertTrue(
          plan.fragment(2).ops().contains(new Operation.Read(1, new SubBlock(2, 0))), plan.shape());
      assertTrue(sends(plan).stream().noneMatch(send -> send.startsWith("2>")), plan.shape());
      assertEquals(2, sends(plan).size(), plan.shape());
    }
  }

  @Test
  void aNodeWithSeveralBlocksAddsThemUpFirst() {
    // Blocks 1 and 2 are at node 1, blocks 3 and 4 at node 2.
    for (String shape : List.of("ppr", "chain")) {
      Plan plan =
          RepairPlanners.named(shape).plan(List.of(sumOf(4)), block -> (block + 1) / 2, ROOT);
      assertEquals(2, sends(plan).size(), shape);
    }
  }

  @Test
  void starReadsAndMovesAHelperOnceForSeveralTargets() {
    List<Equation> lost = List.of(sumOf(0, 2, 3, 4), sumOf(1, 2, 3, 4));
    Plan same = plan("star", lost, ROOT);
    assertEquals(List.of("2>7", "3>7", "4>7"), sends(same));
    long combines =
        same.fragment(ROOT).ops().stream().filter(op -> op instanceof Operation.Combine).count();
    assertEquals(1, combines, "both targets come of one pass");
    Plan apart =
        RepairPlanners.named("star")
            .plan(lost, IntUnaryOperator.identity(), block -> block == 0 ? ROOT : 8);
    assertEquals(List.of("2>7", "3>7", "4>7", "7>8"), sends(apart));
  }

  @Test
  void edgesOfTreesCarryWhatIsLess() {
    // One raw block behind an edge, or one sum for each of two lost blocks.
    List<Equation> lost = List.of(sumOf(0, 2, 3, 4), sumOf(1, 2, 3, 4));
    assertEquals(List.of("2>3", "4>7", "3>7", "3>7"), sends(plan("ppr", lost, ROOT)));
    Plan chain =
        RepairPlanners.named("chain")
            .plan(lost, IntUnaryOperator.identity(), block -> block == 0 ? ROOT : 8);
    assertEquals(List.of("2>3", "3>4", "3>4", "4>7", "4>8"), sends(chain));
    long reads = chain.steps().stream().filter(step -> step instanceof Step.Read).count();
    assertEquals(3, reads, "each helper is read once");
    assertTrue(
        chain.fragment(2).ops().stream().noneMatch(op -> op instanceof Operation.Combine),
        "a raw block goes as it is");
  }

  @Test
  void blocksWithFewHelpersInCommonHaveTreesOfTheirOwn() {
    List<Equation> lost = List.of(sumOf(0, 2, 3), sumOf(1, 4, 5));
    assertEquals(List.of("2>3", "3>7", "4>5", "5>7"), sends(plan("chain", lost, ROOT)));
  }

  @Test
  void aSumThatIsCompleteLeavesTheLine() {
    // Block 1 needs 2 and 3 only, block 0 all of 2, 3, 4: together they share the first hop.
    List<Equation> lost = List.of(sumOf(0, 2, 3, 4), sumOf(1, 2, 3));
    assertEquals(List.of("2>3", "3>4", "3>7", "4>7"), sends(plan("chain", lost, ROOT)));
  }

  @Test
  void aRackSendsOneStream() {
    // Racks 0: 0-3, 1: 4-7, 2: 8-11; the root is node 0.
    Network network = Network.of(Topology.of(3, 4));
    Equation lost = sumOf(0, 1, 2, 4, 5, 6, 8, 9);
    Plan plan =
        RepairPlanners.named("racktree")
            .plan(List.of(lost), IntUnaryOperator.identity(), block -> 0, network);
    assertEquals(2, PlanCost.of(plan, 1, network).crossRack());
    assertEquals(7, PlanCost.of(plan, 1, network).total());
    assertEquals("chain in each rack, racks straight to the root", plan.note());
    assertEquals(List.of("4>5", "5>6", "8>9", "1>2", "2>0", "6>0", "9>0"), sends(plan));
  }

  @Test
  void autoTakesTheFastest() {
    // Long streams in small slices: no shape beats the line. Stored before sent on: the tree does.
    Network slices = Network.flat().with(new Network.Volume(1 << 20, 1 << 10));
    Network blocks = Network.flat().with(new Network.Volume(1 << 20, 1 << 20));
    List<Equation> lost = List.of(sumOf(12));
    RepairPlanner auto = RepairPlanners.named("auto");
    IntUnaryOperator same = IntUnaryOperator.identity();
    assertEquals("chain", auto.plan(lost, same, block -> 20, slices).shape());
    assertEquals("ppr", auto.plan(lost, same, block -> 20, blocks).shape());
    assertEquals("star", auto.plan(List.of(sumOf(1)), same, block -> 20, blocks).shape());
  }

  @Test
  void virtualBlocksAreNotRead() {
    for (RepairPlanner planner : RepairPlanners.all()) {
      Plan plan = planner.plan(List.of(sumOf(3)), block -> block == 2 ? -1 : block, ROOT);
      assertEquals(2, sends(plan).size(), planner.name());
      Plan nothing = planner.plan(List.of(sumOf(3)), block -> -1, ROOT);
      assertEquals(
          List.of(Operation.Combine.class, Operation.Store.class),
          nothing.fragment(ROOT).ops().stream().map(Object::getClass).toList());
    }
  }

  @Test
  void refusesRepairsThatMakeNoSense() {
    for (RepairPlanner planner : RepairPlanners.all()) {
      assertEquals("nothing to repair: no equations", refusal(planner, List.of(), ROOT));
      assertEquals("no node for the repaired block 0", refusal(planner, List.of(sumOf(3)), -1));
      assertEquals(
          "SubBlock[block=0, index=0] has two equations",
          refusal(planner, List.of(sumOf(3), sumOf(4)), ROOT));
    }
  }

  private static String refusal(RepairPlanner planner, List<Equation> equations, int root) {
    return TestRepairs.refusal(() -> planner.plan(equations, IntUnaryOperator.identity(), root));
  }

  @Test
  void racksStandTogetherAndTheRootsRackLast() {
    // Racks 0: 0-3, 1: 4-7, 2: 8-11.
    Topology topology = Topology.of(3, 4);
    Network network = Network.of(topology);
    List<Integer> order = HelperOrder.byRack(network, 1, List.of(4, 2, 8, 5, 0, 9));
    assertEquals(List.of(4, 5, 8, 9, 2, 0), order);
    assertEquals(List.of(4, 8), HelperOrder.byRack(network, 1, List.of(4, 8)));

    Equation lost = sumOf(1, 4, 2, 8, 5, 0, 9);
    List<Equation> sorted = HelperOrder.apply(order, List.of(lost), IntUnaryOperator.identity());
    assertEquals(order, sorted.get(0).terms().stream().map(t -> t.source().block()).toList());
    assertEquals(6, PlanCost.of(plan("chain", List.of(lost), 1), 1, topology).crossRack());
    assertEquals(2, PlanCost.of(plan("chain", sorted, 1), 1, topology).crossRack());
  }

  @Test
  void namedNodesComeBeforeOthers() {
    List<Term> terms =
        HelperOrder.apply(List.of(3), List.of(sumOf(3)), IntUnaryOperator.identity())
            .get(0)
            .terms();
    assertEquals(List.of(3, 1, 2), terms.stream().map(t -> t.source().block()).toList());
  }
}
