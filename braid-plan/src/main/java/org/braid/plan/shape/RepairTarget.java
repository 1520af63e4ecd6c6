package org.braid.plan.shape;

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
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;

/**
 * A sub-block to compute, with its terms by the node that stores them.
 *
 * @param subBlock the sub-block to compute
 * @param root the node that it is for
 * @param termsOf by node, in helper order, the terms whose sub-blocks the node stores; without
 *     virtual blocks of zeros
 */
record RepairTarget(SubBlock subBlock, int root, Map<Integer, List<Term>> termsOf) {

  static List<RepairTarget> of(
      List<Equation> equations, IntUnaryOperator nodeOfBlock, IntUnaryOperator rootOfBlock) {
    if (equations.isEmpty()) {
      throw new IllegalArgumentException("nothing to repair: no equations");
    }
    Set<SubBlock> seen = new HashSet<>();
    List<RepairTarget> targets = new ArrayList<>();
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
      targets.add(new RepairTarget(wanted, root, termsOf));
    }
    return targets;
  }

  /**
   * One plan for all targets together, unless separate plans for each block cross fewer sites,
   * cross fewer racks, or move less.
   *
   * @param planner makes the plan of groups of targets; it plans each group together
   */
  static Plan together(
      List<RepairTarget> targets,
      Function<List<List<RepairTarget>>, Plan> planner,
      Network network) {
    Plan together = planner.apply(List.of(targets));
    List<List<RepairTarget>> apart = apart(targets);
    return apart.isEmpty() ? together : lessTraffic(together, planner.apply(apart), network);
  }

  /** The targets by block; empty when they are of one block. */
  static List<List<RepairTarget>> apart(List<RepairTarget> targets) {
    Map<Integer, List<RepairTarget>> blocks =
        targets.stream()
            .collect(
                Collectors.groupingBy(
                    target -> target.subBlock().block(), LinkedHashMap::new, Collectors.toList()));
    return blocks.size() == 1 ? List.of() : List.copyOf(blocks.values());
  }

  /** The first plan, unless the second crosses fewer sites, crosses fewer racks, or moves less. */
  static Plan lessTraffic(Plan together, Plan apart, Network network) {
    Comparator<Plan> byTraffic =
        Comparator.<Plan>comparingLong(plan -> PlanCost.siteCrossings(plan, network))
            .thenComparingLong(plan -> PlanCost.crossings(plan, network))
            .thenComparingLong(PlanCost::sends);
    return byTraffic.compare(apart, together) < 0 ? apart : together;
  }

  /** The nodes with terms, in helper order, without some. */
  List<Integer> helpers(Set<Integer> without) {
    return termsOf.keySet().stream().filter(node -> !without.contains(node)).toList();
  }

  /** Adds all reads to a plan first, so that nodes read before they wait for streams. */
  static void readAll(List<RepairTarget> targets, Plan.Builder plan) {
    for (RepairTarget target : targets) {
      target.termsOf.forEach(
          (node, terms) -> terms.forEach(term -> plan.read(node, term.source())));
    }
  }
}
