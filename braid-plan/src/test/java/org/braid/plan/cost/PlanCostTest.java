package org.braid.plan.cost;

import static org.braid.plan.TestRepairs.sumOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.junit.jupiter.api.Test;

final class PlanCostTest {
  private static final Topology FLAT = Topology.of(1, 24);

  private static PlanCost cost(String shape, int k) {
    Plan plan =
        RepairPlanners.named(shape).plan(List.of(sumOf(k)), IntUnaryOperator.identity(), k + 1);
    return PlanCost.of(plan, 1, FLAT);
  }

  /** Theorem 1 of the paper on partial parallel repair, section 4.2. */
  @Test
  void pprTakesLog2Steps() {
    for (int k = 1; k <= 20; k++) {
      int expected = (int) Math.ceil(Math.log(k + 1) / Math.log(2) - 1e-9);
      PlanCost ppr = cost("ppr", k);
      assertEquals(expected, ppr.steps(), "k = " + k);
      assertEquals(expected, ppr.busiestLink(), "k = " + k);
      assertEquals(k, ppr.total(), "k = " + k);
    }
    assertEquals(3, cost("ppr", 6).steps());
    assertEquals(4, cost("ppr", 8).steps());
  }

  @Test
  void starAndChainTakeKSteps() {
    for (int k = 1; k <= 20; k++) {
      assertEquals(k, cost("star", k).steps());
      assertEquals(k, cost("star", k).busiestLink());
      assertEquals(k, cost("star", k).total());
      assertEquals(k, cost("chain", k).steps());
      assertEquals(1, cost("chain", k).busiestLink());
      assertEquals(k, cost("chain", k).total());
    }
  }

  @Test
  void twoTargetsShareTheFirstStepOfATreeAndAllOfAStar() {
    List<Equation> lost = List.of(sumOf(0, 2, 3, 4), sumOf(1, 2, 3, 4));
    for (String shape : List.of("star", "ppr")) {
      Plan plan = RepairPlanners.named(shape).plan(lost, IntUnaryOperator.identity(), 7);
      assertEquals(3, PlanCost.of(plan, 1, FLAT).steps());
    }
  }

  @Test
  void aHelperAtTheRootSavesItsTransfer() {
    Plan plan = RepairPlanners.named("ppr").plan(List.of(sumOf(4)), IntUnaryOperator.identity(), 4);
    PlanCost cost = PlanCost.of(plan, 1, FLAT);
    assertEquals(2, cost.steps());
    assertEquals(3, cost.total());
  }

  @Test
  void subBlocksCountAsParts() {
    // One half of each of three helper blocks.
    List<Term> terms = List.of(1, 2, 3).stream().map(b -> new Term(new SubBlock(b, 1), 1)).toList();
    Plan plan =
        RepairPlanners.named("star")
            .plan(List.of(new Equation(new SubBlock(0, 1), terms)), IntUnaryOperator.identity(), 9);
    PlanCost cost = PlanCost.of(plan, 2, FLAT);
    assertEquals(1.5, cost.total());
    assertEquals(1.5, cost.busiestLink());
    assertEquals(2, cost.steps());
    String message =
        assertThrows(IllegalArgumentException.class, () -> PlanCost.of(plan, 0, FLAT)).getMessage();
    assertEquals("a block has at least 1 sub-block, not 0", message);
  }

  @Test
  void racksAndEdges() {
    // Racks 0: nodes 0, 1; 1: nodes 2, 3. Node 9 is a reader outside of the cluster.
    Plan.Builder plan = Plan.builder("test");
    int first = plan.read(0, new SubBlock(0, 0));
    int second = plan.read(0, new SubBlock(1, 0));
    plan.store(plan.send(first, 1), new SubBlock(0, 0));
    plan.store(plan.send(second, 2), new SubBlock(1, 0));
    plan.store(plan.send(second, 9), new SubBlock(2, 0));
    plan.store(plan.send(first, 2), new SubBlock(3, 0));
    PlanCost cost = PlanCost.of(plan.build(), 1, Topology.of(2, 2));
    assertEquals(
        new PlanCost(
            "test",
            4,
            4,
            4,
            3,
            1,
            0,
            cost.seconds(),
            List.of(
                new PlanCost.Edge(0, 1, 1),
                new PlanCost.Edge(0, 2, 2),
                new PlanCost.Edge(0, 9, 1))),
        cost);
  }

  @Test
  void aMoveIsOneBlock() {
    Plan plan = RelocationPlanner.move(3, 4, 0, 1);
    PlanCost cost = PlanCost.of(plan, 4, FLAT);
    assertEquals(1, cost.total());
    assertEquals(1, cost.steps());
    assertEquals(4, plan.stores().size());
    String message =
        assertThrows(IllegalArgumentException.class, () -> RelocationPlanner.move(3, 1, 1, 1))
            .getMessage();
    assertEquals("Send[id=1, from=1, node=1, value=0] sends to its own node", message);
  }
}
