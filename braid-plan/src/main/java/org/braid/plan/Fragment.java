package org.braid.plan;

import java.util.List;

/**
 * The part of a plan that one node runs.
 *
 * @param node the node
 * @param ops its operations; every node keeps the plan's total order, so that blocking streams
 *     cannot wait for each other in a circle
 */
public record Fragment(int node, List<Operation> ops) {
  public Fragment {
    ops = List.copyOf(ops);
  }
}
