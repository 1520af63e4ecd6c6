package org.braid.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.braid.code.Equation;
import org.braid.code.SubBlock;
import org.braid.code.Term;

/**
 * A wanted sub-block, its terms sorted by the node that has them.
 *
 * @param subBlock what is wanted
 * @param root where it is wanted
 * @param termsOf by node, in helper order, the terms that the node can add up; virtual blocks of
 *     zeros are left out
 */
record Target(SubBlock subBlock, int root, Map<Integer, List<Term>> termsOf) {

  static List<Target> of(
      List<Equation> equations, IntUnaryOperator nodeOfBlock, IntUnaryOperator rootOfBlock) {
    if (equations.isEmpty()) {
      throw new IllegalArgumentException("nothing to repair: no equations");
    }
    Set<SubBlock> seen = new HashSet<>();
    List<Target> targets = new ArrayList<>();
    for (Equation equation : equations) {
      SubBlock wanted = equation.target();
      int root = rootOfBlock.applyAsInt(wanted.block());
      if (root < 0) {
        throw new IllegalArgumentException("no node for the repaired block " + wanted.block());
      }
      if (!seen.add(wanted)) {
        throw new IllegalArgumentException(wanted + " has two equations");
      }
      Map<Integer, List<Term>> termsOf = new LinkedHashMap<>();
      for (Term term : equation.terms()) {
        int node = nodeOfBlock.applyAsInt(term.source().block());
        if (node >= 0) {
          termsOf.computeIfAbsent(node, unused -> new ArrayList<>()).add(term);
        }
      }
      targets.add(new Target(wanted, root, termsOf));
    }
    return targets;
  }

  /**
   * The plan for all targets in one, unless one for each block by itself moves less across sites,
   * racks or at all.
   *
   * @param planner makes the plan of groups of targets, each planned in one
   */
  static Plan together(
      List<Target> targets, Function<List<List<Target>>, Plan> planner, Network network) {
    Plan together = planner.apply(List.of(targets));
    List<List<Target>> apart = apart(targets);
    return apart.isEmpty() ? together : lessTraffic(together, planner.apply(apart), network);
  }

  /** The targets block by block; empty when they are of one block. */
  static List<List<Target>> apart(List<Target> targets) {
    Map<Integer, List<Target>> blocks =
        targets.stream()
            .collect(
                Collectors.groupingBy(
                    target -> target.subBlock().block(), LinkedHashMap::new, Collectors.toList()));
    return blocks.size() == 1 ? List.of() : List.copyOf(blocks.values());
  }

  /** The one plan, unless the other moves less across sites, racks or at all. */
  static Plan lessTraffic(Plan together, Plan apart, Network network) {
    Comparator<Plan> byTraffic =
        Comparator.<Plan>comparingLong(plan -> PlanCost.siteCrossings(plan, network))
            .thenComparingLong(plan -> PlanCost.crossings(plan, network))
            .thenComparingLong(PlanCost::sends);
    return byTraffic.compare(apart, together) < 0 ? apart : together;
  }

  /** The nodes with terms, in helper order, but some. */
  List<Integer> helpers(Set<Integer> without) {
    return termsOf.keySet().stream().filter(node -> !without.contains(node)).toList();
  }

  /** Has every node read all that it is asked for, so that reads run ahead of streams. */
  static void readAll(List<Target> targets, Plan.Builder plan) {
    for (Target target : targets) {
      target.termsOf.forEach(
          (node, terms) -> terms.forEach(term -> plan.read(node, term.source())));
    }
  }
}
