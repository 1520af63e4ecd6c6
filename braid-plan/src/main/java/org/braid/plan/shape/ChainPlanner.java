package org.braid.plan.shape;

import java.util.List;
import org.braid.plan.cost.Network;

/**
 * Repair pipelining: helpers stand in a line, each adds its part to what it receives and sends the
 * sum on; the last one sends to the root. Run slice by slice it takes about the time of copying one
 * block, however many helpers there are ("Repair Pipelining for Erasure-Coded Storage", section 3).
 */
final class ChainPlanner extends TreePlanner {
  @Override
  public String name() {
    return "chain";
  }

  @Override
  List<Tree> trees(List<Integer> helpers, int root, Network network) {
    return List.of(new Tree("", TreeEdge.chain(helpers)));
  }
}
