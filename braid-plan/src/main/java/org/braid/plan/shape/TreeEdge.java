package org.braid.plan.shape;

import java.util.ArrayList;
import java.util.List;
import org.braid.plan.Link;

/**
 * An edge of an aggregation tree: a helper sends its partial sums to another helper or to the
 * roots.
 *
 * @param from the sender
 * @param to the receiver, or {@link #ROOTS}
 * @param strict whether complete sums take this edge, too, instead of going straight to their root
 */
record TreeEdge(int from, int to, boolean strict) {
  /** Stands for the nodes that the targets are for. */
  static final int ROOTS = -1;

  TreeEdge(int from, int to) {
    this(from, to, false);
  }

  /** The link of the edge when all targets are for one root. */
  Link link(int root) {
    return new Link(from, to == ROOTS ? root : to);
  }

  /** Each node to the next, the last one to the roots. */
  static List<TreeEdge> chain(List<Integer> nodes) {
    List<TreeEdge> edges = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      edges.add(new TreeEdge(nodes.get(i), i + 1 < nodes.size() ? nodes.get(i + 1) : ROOTS));
    }
    return edges;
  }

  /** Each node straight to the roots. */
  static List<TreeEdge> star(List<Integer> nodes) {
    return nodes.stream().map(node -> new TreeEdge(node, ROOTS)).toList();
  }

  /**
   * A binomial tree that ends at the roots: in each step every second node sends its sum to its
   * neighbour and is done. Pairs are formed from the end, so that the roots receive a sum in every
   * step.
   */
  static List<TreeEdge> binomial(List<Integer> nodes) {
    List<Integer> left = new ArrayList<>(nodes);
    left.add(ROOTS);
    List<TreeEdge> edges = new ArrayList<>();
    while (left.size() > 1) {
      List<TreeEdge> step = new ArrayList<>();
      List<Integer> receivers = new ArrayList<>();
      for (int last = left.size() - 1; last >= 0; last -= 2) {
        receivers.add(0, left.get(last));
        if (last > 0) {
          step.add(0, new TreeEdge(left.get(last - 1), left.get(last)));
        }
      }
      edges.addAll(step);
      left = receivers;
    }
    return edges;
  }
}
