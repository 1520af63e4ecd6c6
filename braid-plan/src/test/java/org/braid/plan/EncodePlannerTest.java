package org.braid.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.placement.Topology;
import org.junit.jupiter.api.Test;

final class EncodePlannerTest {
  private static final ErasureCode CODE = Codes.named("rs-3-2");

  @Test
  void combinesAllParitiesInOnePass() {
    Plan plan = EncodePlanner.gather(CODE, new int[] {0, 1, 2}, 1, new int[] {3, 1});
    List<Op> combines =
        plan.fragment(1).ops().stream().filter(op -> op instanceof Op.Combine).toList();
    assertEquals(1, combines.size());
    Matrix parities = CODE.generator().select(3, 4);
    assertEquals(parities, ((Op.Combine) combines.get(0)).coefficients());
    PlanCost cost = PlanCost.of(plan, 1, Topology.of(1, 4));
    assertEquals(3, cost.total(), "two sources and one parity move; what is local does not");
  }

  @Test
  void virtualBlocksAreNotRead() {
    Plan plan = EncodePlanner.gather(CODE, new int[] {0, -1, -1}, 0, new int[] {3, 4});
    assertEquals(
        List.of(Op.Read.class, Op.Combine.class, Op.Send.class, Op.Send.class),
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
