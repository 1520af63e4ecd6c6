package org.braid.plan.shape;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;

/** Shapes the repair of lost sub-blocks: decides which node sends what to which. Stateless. */
public interface RepairPlanner {
  /** The name in {@link RepairPlanners}. */
  String name();

  /**
   * Plans a repair.
   *
   * @param equations one for each wanted sub-block; the order of the terms is the order of the
   *     helpers
   * @param nodeOfBlock the node that stores a block; negative for a virtual block of zeros, which
   *     fills up a short stripe and is never read
   * @param rootOfBlock the node that a wanted block is for: its new home, or the reading client
   * @param network connects the nodes; some shapes follow its racks or compare predicted times
   * @return a plan that stores each equation's target at its root
   * @throws IllegalArgumentException when there are no equations, a target is wanted twice, or it
   *     has no root
   */
  Plan plan(
      List<Equation> equations,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network);

  /** The planners that this one chooses from; itself, unless it takes the fastest of several. */
  default List<RepairPlanner> shapes() {
    return List.of(this);
  }

  /** Plans a repair on a network without racks. */
  default Plan plan(
      List<Equation> equations, IntUnaryOperator nodeOfBlock, IntUnaryOperator rootOfBlock) {
    return plan(equations, nodeOfBlock, rootOfBlock, Network.flat());
  }

  /** Plans a repair of targets for one node, on a network without racks. */
  default Plan plan(List<Equation> equations, IntUnaryOperator nodeOfBlock, int root) {
    return plan(equations, nodeOfBlock, block -> root);
  }
}
