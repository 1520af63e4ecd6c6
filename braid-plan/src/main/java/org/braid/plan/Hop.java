package org.braid.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A way of partial sums: a helper sends what it has to another, or to those who want it.
 *
 * @param from the sender
 * @param to the receiver, or {@link #ROOTS}
 * @param strict whether also a sum that is complete goes this way, not straight to its root
 */
record Hop(int from, int to, boolean strict) {
  /** Stands for the nodes that the targets are for. */
  static final int ROOTS = -1;

  Hop(int from, int to) {
    this(from, to, false);
  }

  /** Each node to the next, the last one to the roots. */
  static List<Hop> chain(List<Integer> nodes) {
    List<Hop> hops = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      hops.add(new Hop(nodes.get(i), i + 1 < nodes.size() ? nodes.get(i + 1) : ROOTS));
    }
    return hops;
  }

  /** Each node straight to the roots. */
  static List<Hop> star(List<Integer> nodes) {
    return nodes.stream().map(node -> new Hop(node, ROOTS)).toList();
  }

  /**
   * A binomial tree that ends at the roots: in each step neighbours meet, and half of the nodes are
   * done. Pairs are formed from the end, so that the roots take a partial sum in every step.
   */
  static List<Hop> binomial(List<Integer> nodes) {
    List<Integer> left = new ArrayList<>(nodes);
    left.add(ROOTS);
    List<Hop> hops = new ArrayList<>();
    while (left.size() > 1) {
      List<Hop> step = new ArrayList<>();
      List<Integer> receivers = new ArrayList<>();
      for (int last = left.size() - 1; last >= 0; last -= 2) {
        receivers.add(0, left.get(last));
        if (last > 0) {
          step.add(0, new Hop(left.get(last - 1), left.get(last)));
        }
      }
      hops.addAll(step);
      left = receivers;
    }
    return hops;
  }
}
