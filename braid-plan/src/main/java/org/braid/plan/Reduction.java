package org.braid.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.braid.code.Term;

/**
 * Partial sums of several targets on their way along a tree of helpers.
 *
 * <p>What a helper and those behind it contribute to the targets is a matrix: targets by values at
 * hand. As many values as its rank cross the helper's edge, which no plan of the same tree can go
 * below: one for each target where there is much behind the edge; the raw sub-blocks where they are
 * fewer than the targets, as in the repair of a Clay, Hitchhiker or Rotated Reed-Solomon code, or
 * of several blocks at once. So no link of the tree carries more than the conventional repair's
 * busiest one.
 *
 * <p>A target whose helpers are all behind an edge is complete there and goes straight to its root,
 * unless relaying it costs less.
 */
final class Reduction {
  private final Plan.Builder plan;
  private final List<Target> targets;
  private final Set<Integer> roots = new LinkedHashSet<>();

  /** By node and target, the received values that make up a part of the target. */
  private final Map<Integer, List<Map<Integer, Integer>>> received = new HashMap<>();

  /** By node and target, the helpers whose part has arrived. */
  private final Map<Integer, int[]> gathered = new HashMap<>();

  /** By target, the helpers that are no roots. */
  private final int[] expected;

  /** One delivery: what goes from a node to another, and the targets made up of it. */
  private record Delivery(int to, List<Integer> targets, Basis basis, int[][] rows) {}

  private Reduction(Plan.Builder plan, List<Target> targets) {
    this.plan = plan;
    this.targets = targets;
    targets.forEach(target -> roots.add(target.root()));
    expected = targets.stream().mapToInt(t -> t.helpers(roots).size()).toArray();
  }

  /** The nodes that take part in a tree of some targets: all with terms but the roots. */
  static List<Integer> helpers(List<Target> targets) {
    Set<Integer> roots = new LinkedHashSet<>();
    targets.forEach(target -> roots.add(target.root()));
    Set<Integer> helpers = new LinkedHashSet<>();
    targets.forEach(target -> helpers.addAll(target.helpers(roots)));
    return List.copyOf(helpers);
  }

  /**
   * Adds the way of some targets to a plan.
   *
   * @param hops one from each of {@link #helpers}; what a node receives comes before what it sends
   */
  static void add(Plan.Builder plan, List<Target> targets, List<Hop> hops) {
    Reduction reduction = new Reduction(plan, targets);
    // A root may hold blocks that help others; that way is outside of the tree.
    reduction.roots.forEach(root -> reduction.send(new Hop(root, Hop.ROOTS)));
    hops.forEach(reduction::send);
    reduction.store();
  }

  private void send(Hop hop) {
    int from = hop.from();
    List<Map<Integer, Integer>> sums = sums(from);
    List<Integer> values = values(sums);
    Map<Integer, List<Integer>> byReceiver = new LinkedHashMap<>();
    List<Integer> relayed = new ArrayList<>();
    for (int t = 0; t < sums.size(); t++) {
      Target target = targets.get(t);
      if (target.root() != from && !sums.get(t).isEmpty()) {
        boolean complete =
            hop.to() == Hop.ROOTS || (!hop.strict() && count(from, t) == expected[t]);
        int to = complete ? target.root() : hop.to();
        byReceiver.computeIfAbsent(to, unused -> new ArrayList<>()).add(t);
        relayed.add(t);
      }
    }
    List<Delivery> deliveries = new ArrayList<>();
    byReceiver.forEach((to, which) -> deliveries.add(delivery(to, which, sums, values)));
    if (deliveries.size() > 1 && hop.to() != Hop.ROOTS) {
      Delivery one = delivery(hop.to(), relayed, sums, values);
      if (one.basis().rank() < deliveries.stream().mapToInt(d -> d.basis().rank()).sum()) {
        deliveries.clear();
        deliveries.add(one);
      }
    }
    deliver(from, deliveries, values);
  }

  /**
   * Combinations come before sends, so that those of one node stand side by side and run as one.
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

  /** Helpers at and behind a node that have a part in a target. */
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
    return new Delivery(to, which, Basis.of(rows), rows);
  }

  /** What is at hand goes as it is when it is as little as any combination, and there is no sum. */
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

  /** By target, what a node has of it: values received, then what it reads itself. */
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
