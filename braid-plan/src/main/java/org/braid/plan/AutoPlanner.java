package org.braid.plan;

import java.util.List;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;

/** Plans in every shape and takes the one that the cost model finds fastest. */
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
