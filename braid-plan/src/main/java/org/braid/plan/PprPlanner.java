package org.braid.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;

/**
 * Partial parallel repair: helpers multiply locally, partial results are added along a binomial
 * reduction tree that ends at the root, in ceil(log2(k+1)) logical steps for k helper nodes (PPR,
 * sections 4.1 and 4.2, figures 2 and 4).
 *
 * <p>Neighbours in helper order meet first; pairs are formed from the root's end, so that the root
 * takes one partial result in every step. Several targets each carry a value of their own along the
 * same tree.
 */
final class PprPlanner implements RepairPlanner {
  private record Hop(int from, int to) {}

  @Override
  public String name() {
    return "ppr";
  }

  @Override
  public Plan plan(
      List<Equation> equations, IntUnaryOperator nodeOfBlock, IntUnaryOperator rootOfBlock) {
    List<Target> targets = Target.of(equations, nodeOfBlock, rootOfBlock);
    Plan.Builder plan = Plan.builder(name());
    Target.readAll(targets, plan);
    List<Map<Integer, List<Integer>>> parts = new ArrayList<>();
    for (Target target : targets) {
      Map<Integer, List<Integer>> products = new HashMap<>();
      for (int node : target.termsOf().keySet()) {
        int product = plan.combine(node, target.inputsAt(node, plan));
        products.computeIfAbsent(node, unused -> new ArrayList<>()).add(product);
      }
      parts.add(products);
    }
    List<List<List<Hop>>> trees = targets.stream().map(PprPlanner::tree).toList();
    int steps = trees.stream().mapToInt(List::size).max().orElse(0);
    for (int step = 0; step < steps; step++) {
      for (int t = 0; t < targets.size(); t++) {
        if (step < trees.get(t).size()) {
          send(plan, trees.get(t).get(step), parts.get(t));
        }
      }
    }
    for (int t = 0; t < targets.size(); t++) {
      Target target = targets.get(t);
      plan.store(sum(plan, target.root(), parts.get(t)), target.subBlock());
    }
    return plan.build();
  }

  private static void send(Plan.Builder plan, List<Hop> hops, Map<Integer, List<Integer>> parts) {
    for (Hop hop : hops) {
      int received = plan.send(sum(plan, hop.from(), parts), hop.to());
      parts.computeIfAbsent(hop.to(), unused -> new ArrayList<>()).add(received);
    }
  }

  private static int sum(Plan.Builder plan, int node, Map<Integer, List<Integer>> parts) {
    List<Integer> values = parts.getOrDefault(node, List.of());
    return values.size() == 1
        ? values.get(0)
        : plan.combine(node, values.stream().map(value -> new Step.Input(value, 1)).toList());
  }

  /** The hops of each logical step. */
  private static List<List<Hop>> tree(Target target) {
    List<Integer> left = new ArrayList<>(target.helpers());
    left.add(target.root());
    List<List<Hop>> steps = new ArrayList<>();
    while (left.size() > 1) {
      List<Hop> hops = new ArrayList<>();
      List<Integer> receivers = new ArrayList<>();
      for (int last = left.size() - 1; last >= 0; last -= 2) {
        receivers.add(0, left.get(last));
        if (last > 0) {
          hops.add(0, new Hop(left.get(last - 1), left.get(last)));
        }
      }
      steps.add(hops);
      left = receivers;
    }
    return steps;
  }
}
