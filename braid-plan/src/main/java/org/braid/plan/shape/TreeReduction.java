package org.braid.plan.shape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.braid.code.Term;
import org.braid.plan.Plan;
import org.braid.plan.Step;

/**
 * Adds the partial sums of several targets to a plan, along a tree of helpers.
 *
 * <p>The contribution of a helper and of the helpers behind it is a matrix: targets by available
 * values. As many values as the rank of the matrix cross the helper's edge, which is the minimum
 * for the tree. They are one sum for each target, or the raw sub-blocks if there are fewer of them
 * than targets, as in the repair of a Clay, Hitchhiker or Rotated Reed-Solomon code, or of several
 * blocks at once. So no link of the tree carries more than the busiest link of the conventional
 * repair.
 *
 * <p>A target whose helpers are all behind an edge is complete there. It goes straight to its root,
 * unless relaying it takes fewer values.
 */
final class TreeReduction {
  private final Plan.Builder plan;
  private final List<RepairTarget> targets;
  private final Set<Integer> roots = new LinkedHashSet<>();

  /**
   * By node and target, the received values that are part of the target, with their coefficients.
   */
  private final Map<Integer, List<Map<Integer, Integer>>> received = new HashMap<>();

  /** By node and target, the number of helpers whose part has arrived. */
  private final Map<Integer, int[]> gathered = new HashMap<>();

  /** By target, the number of helpers that are no roots. */
  private final int[] expected;

  /** Values that go from one node to another, and the targets that they are part of. */
  private record Delivery(int to, List<Integer> targets, RowBasis basis, int[][] rows) {}

  private TreeReduction(Plan.Builder plan, List<RepairTarget> targets) {
    this.plan = plan;
    this.targets = targets;
    targets.forEach(target -> roots.add(target.root()));
    expected = targets.stream().mapToInt(t -> t.helpers(roots).size()).toArray();
  }

  /** The nodes of the tree of some targets: all nodes with terms except the roots. */
  static List<Integer> helpers(List<RepairTarget> targets) {
    Set<Integer> roots = new LinkedHashSet<>();
    targets.forEach(target -> roots.add(target.root()));
    Set<Integer> helpers = new LinkedHashSet<>();
    targets.forEach(target -> helpers.addAll(target.helpers(roots)));
    return List.copyOf(helpers);
  }

  /**
   * Adds the sums of some targets to a plan.
   *
   * @param edges one from each of {@link #helpers}; a node's incoming edges come before its own
   */
  static void add(Plan.Builder plan, List<RepairTarget> targets, List<TreeEdge> edges) {
    TreeReduction reduction = new TreeReduction(plan, targets);
    // A root may store blocks that help other targets; it sends them outside of the tree.
    reduction.roots.forEach(root -> reduction.send(new TreeEdge(root, TreeEdge.ROOTS)));
    edges.forEach(reduction::send);
    reduction.store();
  }

  private void send(TreeEdge edge) {
    int from = edge.from();
    List<Map<Integer, Integer>> sums = sums(from);
    List<Integer> values = values(sums);
    Map<Integer, List<Integer>> byReceiver = new LinkedHashMap<>();
    List<Integer> relayed = new ArrayList<>();
    for (int t = 0; t < sums.size(); t++) {
      RepairTarget target = targets.get(t);
      if (target.root() != from && !sums.get(t).isEmpty()) {
        boolean complete =
            edge.to() == TreeEdge.ROOTS || (!edge.strict() && count(from, t) == expected[t]);
        int to = complete ? target.root() : edge.to();
        byReceiver.computeIfAbsent(to, unused -> new ArrayList<>()).add(t);
        relayed.add(t);
      }
    }
    List<Delivery> deliveries = new ArrayList<>();
    byReceiver.forEach((to, which) -> deliveries.add(delivery(to, which, sums, values)));
    if (deliveries.size() > 1 && edge.to() != TreeEdge.ROOTS) {
      Delivery one = delivery(edge.to(), relayed, sums, values);
      if (one.basis().rank() < deliveries.stream().mapToInt(d -> d.basis().rank()).sum()) {
        deliveries.clear();
        deliveries.add(one);
      }
    }
    deliver(from, deliveries, values);
  }

  /**
   * Combinations come before sends, so that the combinations of a node are neighbours and run as
   * one.
   */
  private void deliver(int from, List<Delivery> deliveries, List<Integer> values) {
    List<List<Integer>> toSend = new ArrayList<>();
    for (Delivery delivery : deliveries) {
      toSend.add(isForwarded(delivery) ? used(delivery, values) : combine(from, delivery, values));
    }
    for (int d = 0; d < deliveries.size(); d++) {
      Delivery delivery = deliveries.get(d);
      Map<Integer, Integer> arrived = new HashMap<>();
      List<Integer> there = new ArrayList<>();
      for (int value : toSend.get(d)) {
        int received = plan.send(value, delivery.to());
        arrived.put(value, received);
        there.add(received);
      }
      for (int i = 0; i < delivery.targets().size(); i++) {
        Map<Integer, Integer> row = new LinkedHashMap<>();
        if (isForwarded(delivery)) {
          for (int v = 0; v < values.size(); v++) {
            Integer value = arrived.get(values.get(v));
            if (value != null && delivery.rows()[i][v] != 0) {
              row.put(value, delivery.rows()[i][v]);
            }
          }
        } else {
          delivery.basis().of().get(i).forEach((b, c) -> row.put(there.get(b), c));
        }
        receive(from, delivery.to(), delivery.targets().get(i), row);
      }
    }
  }

  private void receive(int from, int to, int target, Map<Integer, Integer> row) {
    received.computeIfAbsent(to, unused -> empty()).get(target).putAll(row);
    gathered.computeIfAbsent(to, unused -> new int[targets.size()])[target] += count(from, target);
  }

  /** The number of helpers, at a node and behind it, that contribute to a target. */
  private int count(int node, int target) {
    int[] arrived = gathered.get(node);
    int behind = arrived == null ? 0 : arrived[target];
    boolean own = !roots.contains(node) && targets.get(target).termsOf().containsKey(node);
    return behind + (own ? 1 : 0);
  }

  private Delivery delivery(
      int to, List<Integer> which, List<Map<Integer, Integer>> sums, List<Integer> values) {
    int[][] rows = new int[which.size()][values.size()];
    for (int i = 0; i < rows.length; i++) {
      for (int v = 0; v < values.size(); v++) {
        rows[i][v] = sums.get(which.get(i)).getOrDefault(values.get(v), 0);
      }
    }
    return new Delivery(to, which, RowBasis.of(rows), rows);
  }

  /** Values are forwarded without a combination if there are no more of them than combinations. */
  private static boolean isForwarded(Delivery delivery) {
    return delivery.basis().rank() < delivery.targets().size()
        && usedColumns(delivery).size() == delivery.basis().rank();
  }

  private static List<Integer> usedColumns(Delivery delivery) {
    List<Integer> used = new ArrayList<>();
    int columns = delivery.rows().length == 0 ? 0 : delivery.rows()[0].length;
    for (int v = 0; v < columns; v++) {
      for (int[] row : delivery.rows()) {
        if (row[v] != 0) {
          used.add(v);
          break;
        }
      }
    }
    return used;
  }

  private static List<Integer> used(Delivery delivery, List<Integer> values) {
    return usedColumns(delivery).stream().map(values::get).toList();
  }

  private List<Integer> combine(int node, Delivery delivery, List<Integer> values) {
    List<Integer> combined = new ArrayList<>();
    for (int row : delivery.basis().rows()) {
      List<Step.Input> inputs = new ArrayList<>();
      for (int v = 0; v < values.size(); v++) {
        if (delivery.rows()[row][v] != 0) {
          inputs.add(new Step.Input(values.get(v), delivery.rows()[row][v]));
        }
      }
      combined.add(plan.combine(node, inputs));
    }
    return combined;
  }

  private void store() {
    Map<Integer, List<Map<Integer, Integer>>> sums = new HashMap<>();
    roots.forEach(root -> sums.put(root, sums(root)));
    List<Integer> repaired = new ArrayList<>();
    for (int t = 0; t < targets.size(); t++) {
      int root = targets.get(t).root();
      List<Step.Input> inputs = new ArrayList<>();
      sums.getOrDefault(root, List.of())
          .get(t)
          .forEach((value, coefficient) -> inputs.add(new Step.Input(value, coefficient)));
      repaired.add(plan.combine(root, inputs));
    }
    for (int t = 0; t < targets.size(); t++) {
      plan.store(repaired.get(t), targets.get(t).subBlock());
    }
  }

  /**
   * By target, the values of a node that contribute to it: received ones first, then those that it
   * reads.
   */
  private List<Map<Integer, Integer>> sums(int node) {
    List<Map<Integer, Integer>> sums = new ArrayList<>();
    List<Map<Integer, Integer>> arrived = received.get(node);
    for (int t = 0; t < targets.size(); t++) {
      Map<Integer, Integer> sum = new LinkedHashMap<>(arrived == null ? Map.of() : arrived.get(t));
      for (Term term : targets.get(t).termsOf().getOrDefault(node, List.of())) {
        sum.put(plan.read(node, term.source()), term.coefficient());
      }
      sums.add(sum);
    }
    return sums;
  }

  private List<Map<Integer, Integer>> empty() {
    List<Map<Integer, Integer>> empty = new ArrayList<>();
    targets.forEach(target -> empty.add(new TreeMap<>()));
    return empty;
  }

  private static List<Integer> values(List<Map<Integer, Integer>> sums) {
    Set<Integer> values = new LinkedHashSet<>();
    sums.forEach(sum -> values.addAll(sum.keySet()));
    return List.copyOf(values);
  }
}
