package org.braid.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.braid.code.Equation;
import org.braid.code.Term;
import org.braid.placement.Topology;

/** Orders of helpers; planners take the order of an equation's terms. */
public final class HelperOrder {
  private HelperOrder() {}

  /**
   * Puts nodes of the same rack next to each other and the root's rack last, so that a chain
   * crosses racks as rarely as can be: once for each rack but the root's. Otherwise the order
   * stays.
   */
  public static List<Integer> byRack(Topology topology, int root, List<Integer> nodes) {
    return byRack(Network.of(topology), root, nodes);
  }

  /** The same on a network. */
  public static List<Integer> byRack(Network network, int root, List<Integer> nodes) {
    Map<Integer, List<Integer>> racks = new LinkedHashMap<>();
    for (int node : nodes) {
      racks.computeIfAbsent(network.rackOf(node), unused -> new ArrayList<>()).add(node);
    }
    List<Integer> last = racks.remove(network.rackOf(root));
    List<Integer> ordered = new ArrayList<>();
    racks.values().forEach(ordered::addAll);
    if (last != null) {
      ordered.addAll(last);
    }
    return ordered;
  }

  /**
   * The same equations with their terms sorted by the order of the nodes that store them; terms of
   * nodes not named come last.
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
}
