package org.braid.plan.shape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.cost.Network;

/**
 * Conventional repair: every helper sends its raw sub-blocks to the root, which combines them. With
 * several roots the first one repairs all targets and forwards those of the others, so that each
 * sub-block is read once and crosses the network once. If separate stars move less, because blocks
 * have few helpers in common, each root gathers for itself.
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
    return RepairTarget.together(
        RepairTarget.of(equations, nodeOfBlock, rootOfBlock), this::stars, network);
  }

  private Plan stars(List<List<RepairTarget>> groups) {
    Plan.Builder plan = Plan.builder(name());
    groups.forEach(group -> RepairTarget.readAll(group, plan));
    groups.forEach(group -> star(group, plan));
    return plan.build();
  }

  private static void star(List<RepairTarget> targets, Plan.Builder plan) {
    int root = targets.get(0).root();
    Map<SubBlock, Integer> atRoot = new HashMap<>();
    List<List<Step.Input>> inputs = new ArrayList<>();
    for (RepairTarget target : targets) {
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
    // Combinations are neighbours, so that they run as one.
    List<Integer> repaired = inputs.stream().map(row -> plan.combine(root, row)).toList();
    for (int i = 0; i < targets.size(); i++) {
      RepairTarget target = targets.get(i);
      int value = repaired.get(i);
      plan.store(
          target.root() == root ? value : plan.send(value, target.root()), target.subBlock());
    }
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
