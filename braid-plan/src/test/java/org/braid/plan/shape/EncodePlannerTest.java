package org.braid.plan.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.Topology;
import org.braid.plan.Operation;
import org.braid.plan.Plan;
import org.braid.plan.TestRepairs;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.cost.PlanTime;
import org.junit.jupiter.api.Test;

final class EncodePlannerTest {
  private static final ErasureCode CODE = Codes.named("rs-3-2");

  @Test
  void combinesAllParitiesInOnePass() {
    Plan plan = EncodePlanner.gather(CODE, new int[] {0, 1, 2}, 1, new int[] {3, 1});
    List<Operation> combines =
        plan.fragment(1).ops().stream().filter(op -> op instanceof Operation.Combine).toList();
    assertEquals(1, combines.size());
    Matrix parities = CODE.generator().select(3, 4);
    assertEquals(parities, ((Operation.Combine) combines.get(0)).coefficients());
    PlanCost cost = PlanCost.of(plan, 1, Topology.of(1, 4));
    assertEquals(3, cost.total(), "two sources and one parity move; what is local does not");
  }

  /** Copies of a parity are computed once, and go along a pipeline once. */
  @Test
  void copiesOfParityAreNotComputedAgain() {
    ErasureCode code = new ParityCopies(CODE, 2);
    int[] sources = {0, 1, 2};
    int[] parities = {3, 1, 4, 5};
    Plan gather = EncodePlanner.gather(code, sources, 1, parities);
    List<Operation> combines =
        gather.fragment(1).ops().stream().filter(op -> op instanceof Operation.Combine).toList();
    assertEquals(1, combines.size());
    assertEquals(
        CODE.generator().select(3, 4), ((Operation.Combine) combines.get(0)).coefficients());
    assertEquals(4, gather.stores().size());
    assertEquals(
        5, PlanCost.of(gather, 1, Topology.of(1, 6)).total(), "two sources, three parities");
    int[] apart = {3, 4, 5, 6};
    Network network = Network.of(Topology.of(7, 1));
    Plan pipelined = EncodePlanner.pipelined(code, sources, apart, network);
    assertEquals(1 + 2 + 4, PlanCost.of(pipelined, 1, network).total());
  }

  @Test
  void aPipelineCarriesAsMuchAsThereIsParity() {
    ErasureCode code = Codes.named("rs-12-4");
    int[] sources = IntStream.range(0, 12).toArray();
    int[] parities = IntStream.range(12, 16).toArray();
    Network network = Network.of(Topology.of(16, 1));
    Plan pipelined = EncodePlanner.pipelined(code, sources, parities, network);
    PlanCost cost = PlanCost.of(pipelined, 1, network);
    assertEquals(4, cost.busiestLink());
    assertEquals(1 + 2 + 3 + 8 * 4 + 4, cost.total(), "sums grow to 4 on the way");
    Plan gather = EncodePlanner.gather(code, sources, 12, parities);
    assertEquals(12, PlanCost.of(gather, 1, network).busiestLink());
    assertEquals(pipelined, PlanTime.fastest(List.of(gather, pipelined), network));
  }

  @Test
  void gatheringAtAParityNodeIsFasterWhereThereIsMoreParityThanData() {
    ErasureCode code = Codes.named("rs-2-3");
    Network network = Network.of(Topology.of(5, 1));
    int[] sources = {0, 1};
    int[] parities = {2, 3, 4};
    Plan pipelined = EncodePlanner.pipelined(code, sources, parities, network);
    Plan gather = EncodePlanner.gather(code, sources, 2, parities);
    assertEquals(gather, PlanTime.fastest(List.of(pipelined, gather), network));
  }

  @Test
  void localParityLeavesTheLineWhenItIsComplete() {
    // Group 0: blocks 0-5, parity 12; group 1: 6-11, parity 13; both global parities go on.
    ErasureCode code = Codes.named("lrc-12-2-2");
    int[] sources = IntStream.range(0, 12).toArray();
    int[] parities = IntStream.range(12, 16).toArray();
    Plan plan = EncodePlanner.pipelined(code, sources, parities, Network.flat());
    PlanCost cost = PlanCost.of(plan, 1, Network.flat());
    assertTrue(cost.edges().contains(new PlanCost.Edge(5, 12, 1)), cost.edges().toString());
    assertTrue(cost.edges().contains(new PlanCost.Edge(5, 6, 2)), cost.edges().toString());
    assertEquals(3, cost.busiestLink(), "3 go along, 4 at the end of which one is local");
  }

  @Test
  void virtualBlocksAreNotRead() {
    Plan plan = EncodePlanner.gather(CODE, new int[] {0, -1, -1}, 0, new int[] {3, 4});
    assertEquals(
        List.of(
            Operation.Read.class,
            Operation.Combine.class,
            Operation.Send.class,
            Operation.Send.class),
        plan.fragment(0).ops().stream().map(Object::getClass).toList());
    Plan empty = EncodePlanner.gather(CODE, new int[] {-1, -1, -1}, 0, new int[] {3, 4});
    assertEquals(2, empty.stores().size());
  }

  @Test
  void refusesWrongNodes() {
    assertEquals(
        "rs-3-2 needs 3 sources and 2 parity nodes, not 2 and 2",
        refusal(new int[] {0, 1}, 0, new int[] {3, 4}));
    assertEquals("no node for parity block 4", refusal(new int[] {0, 1, 2}, 0, new int[] {3, -1}));
    assertEquals("no node to encode at: -1", refusal(new int[] {0, 1, 2}, -1, new int[] {3, 4}));
  }

  private static String refusal(int[] sources, int encoder, int[] parityNodes) {
    return TestRepairs.refusal(() -> EncodePlanner.gather(CODE, sources, encoder, parityNodes));
  }
}
