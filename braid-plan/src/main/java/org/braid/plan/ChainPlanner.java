package org.braid.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;

/**
 * Repair pipelining: helpers stand in a line, each adds its part to what it receives and sends the
 * sum on; the last one sends to the root. Run slice by slice it takes about the time of copying one
 * block, however many helpers there are. Several targets each carry a value of their own along the
 * same line.
 */
final class ChainPlanner implements RepairPlanner {
  @Override
  public String name() {
    return "chain";
  }

  @Override
  public Plan plan(
      List<Equation> equations, IntUnaryOperator nodeOfBlock, IntUnaryOperator rootOfBlock) {
    List<Target> targets = Target.of(equations, nodeOfBlock, rootOfBlock);
    Plan.Builder plan = Plan.builder(name());
    Target.readAll(targets, plan);
    List<Line> lines = targets.stream().map(Line::new).toList();
    int longest = lines.stream().mapToInt(line -> line.nodes.size()).max().orElse(0);
    for (int position = 0; position < longest; position++) {
      // Combinations before sends, so that those of one node stand side by side and run as one.
      for (Line line : lines) {
        line.add(plan, position);
      }
      for (Line line : lines) {
        line.send(plan, position);
      }
    }
    for (Line line : lines) {
      plan.store(line.value, line.target.subBlock());
    }
    return plan.build();
  }

  /** One target's way along its helpers to its root. */
  private static final class Line {
    final Target target;
    final List<Integer> nodes;

    /** The sum so far, at the node where it is. */
    int value = -1;

    Line(Target target) {
      this.target = target;
      nodes = new ArrayList<>(target.helpers());
      nodes.add(target.root());
    }

    void add(Plan.Builder plan, int position) {
      if (position >= nodes.size()) {
        return;
      }
      int node = nodes.get(position);
      List<Step.Input> inputs = new ArrayList<>(target.inputsAt(node, plan));
      if (value >= 0 && inputs.isEmpty()) {
        return;
      }
      if (value >= 0) {
        inputs.add(0, new Step.Input(value, 1));
      }
      value = plan.combine(node, inputs);
    }

    void send(Plan.Builder plan, int position) {
      if (position + 1 < nodes.size()) {
        value = plan.send(value, nodes.get(position + 1));
      }
    }
  }
}
