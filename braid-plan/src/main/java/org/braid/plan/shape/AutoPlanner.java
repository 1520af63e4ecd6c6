package org.braid.plan.shape;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanTime;

/** Plans every shape and takes the fastest plan, as predicted by the cost model. */
final class AutoPlanner implements RepairPlanner {
  private final List<RepairPlanner> shapes;

  AutoPlanner(List<RepairPlanner> shapes) {
    this.shapes = List.copyOf(shapes);
  }

  @Override
  public String name() {
    return "auto";
  }

  @Override
  public List<RepairPlanner> shapes() {
    return shapes;
  }

  @Override
  public Plan plan(
      List<Equation> equations,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network) {
    return PlanTime.fastest(
        shapes.stream()
            .map(shape -> shape.plan(equations, nodeOfBlock, rootOfBlock, network))
            .toList(),
        network);
  }
}
