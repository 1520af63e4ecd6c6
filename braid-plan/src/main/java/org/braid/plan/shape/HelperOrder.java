package org.braid.plan.shape;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.code.Term;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;

/** Orders helpers. Planners use helpers in the order of an equation's terms. */
public final class HelperOrder {
  private HelperOrder() {}

  /**
   * Groups nodes by site and rack, with the root's site and rack last. A chain in this order leaves
   * each site and each rack once. Otherwise the order stays.
   */
  static List<Integer> byRack(Network network, int root, List<Integer> nodes) {
    return side(side(nodes, network::rackOf, root), network::siteOf, root);
  }

  /** Groups nodes by place, in the order of the places' first nodes, with the root's place last. */
  private static List<Integer> side(List<Integer> nodes, IntUnaryOperator placeOf, int root) {
    Map<Integer, List<Integer>> places = new LinkedHashMap<>();
    for (int node : nodes) {
      places.computeIfAbsent(placeOf.applyAsInt(node), unused -> new ArrayList<>()).add(node);
    }
    List<Integer> last = places.remove(placeOf.applyAsInt(root));
    List<Integer> ordered = new ArrayList<>();
    places.values().forEach(ordered::addAll);
    if (last != null) {
      ordered.addAll(last);
    }
    return ordered;
  }

  /**
   * Sorts the terms of equations by the order of the nodes that store them. Terms of other nodes
   * come last.
   */
  public static List<Equation> apply(
      List<Integer> order, List<Equation> equations, IntUnaryOperator nodeOfBlock) {
    Map<Integer, Integer> rank = new HashMap<>();
    order.forEach(node -> rank.putIfAbsent(node, rank.size()));
    Comparator<Term> byRank =
        Comparator.comparingInt(
            term ->
                rank.getOrDefault(
                    nodeOfBlock.applyAsInt(term.source().block()), Integer.MAX_VALUE));
    return equations.stream()
        .map(e -> new Equation(e.target(), e.terms().stream().sorted(byRank).toList()))
        .toList();
  }

  /**
   * Plans equations with helpers grouped by site and rack.
   *
   * @param nodeOfBlock the node that stores a block; negative for a virtual block of zeros
   * @param rootOfBlock the node that a wanted block is for
   */
  public static Plan plan(
      RepairPlanner planner,
      List<Equation> equations,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network) {
    return planner.plan(
        byRack(equations, nodeOfBlock, rootOfBlock, network), nodeOfBlock, rootOfBlock, network);
  }

  /** Sorts the terms of equations so that helpers are grouped by site and rack. */
  public static List<Equation> byRack(
      List<Equation> equations,
      IntUnaryOperator nodeOfBlock,
      IntUnaryOperator rootOfBlock,
      Network network) {
    Set<Integer> nodes = new LinkedHashSet<>();
    for (Equation equation : equations) {
      for (Term term : equation.terms()) {
        nodes.add(nodeOfBlock.applyAsInt(term.source().block()));
      }
    }
    nodes.removeIf(node -> node < 0);
    int root = rootOfBlock.applyAsInt(equations.get(0).target().block());
    return apply(byRack(network, root, List.copyOf(nodes)), equations, nodeOfBlock);
  }
}
