package org.braid.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.code.SubBlock;
import org.braid.code.Term;

/**
 * Conventional repair: every helper sends its raw sub-blocks to the root, which combines them. With
 * several roots the first one repairs all targets and forwards those of the others, so that each
 * sub-block is read once and crosses the network once.
 */
final class StarPlanner implements RepairPlanner {
  @Override
  public String name() {
    return "star";
  }

  @Override
  public Plan plan(
      List<Equation> equations,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network) {
    List<Target> targets = Target.of(equations, nodeOfBlock, rootOfBlock);
    Plan.Builder plan = Plan.builder(name());
    int root = targets.get(0).root();
    Target.readAll(targets, plan);
    Map<SubBlock, Integer> atRoot = new HashMap<>();
    List<List<Step.Input>> inputs = new ArrayList<>();
    for (Target target : targets) {
      List<Step.Input> row = new ArrayList<>();
      target
          .termsOf()
          .forEach(
              (node, terms) -> {
                for (Term term : terms) {
                  int value = bring(plan, node, term.source(), root, atRoot);
                  row.add(new Step.Input(value, term.coefficient()));
                }
              });
      inputs.add(row);
    }
    // Combinations stand side by side, so that they run as one over all that was brought.
    List<Integer> repaired = inputs.stream().map(row -> plan.combine(root, row)).toList();
    for (int i = 0; i < targets.size(); i++) {
      Target target = targets.get(i);
      int value = repaired.get(i);
      plan.store(
          target.root() == root ? value : plan.send(value, target.root()), target.subBlock());
    }
    return plan.build();
  }

  private static int bring(
      Plan.Builder plan, int node, SubBlock source, int root, Map<SubBlock, Integer> atRoot) {
    Integer known = atRoot.get(source);
    if (known != null) {
      return known;
    }
    int read = plan.read(node, source);
    int value = node == root ? read : plan.send(read, root);
    atRoot.put(source, value);
    return value;
  }
}
