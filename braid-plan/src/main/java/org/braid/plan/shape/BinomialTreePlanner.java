package org.braid.plan.shape;

import java.util.List;
import org.braid.plan.cost.Network;

/**
 * Partial parallel repair: partial sums meet along a binomial tree that ends at the root, in
 * ceil(log2(k+1)) logical steps for k helper nodes (PPR sections 4.1 and 4.2, figures 2 and 4).
 */
final class BinomialTreePlanner extends TreePlanner {
  @Override
  public String name() {
    return "ppr";
  }

  @Override
  List<Tree> trees(List<Integer> helpers, int root, Network network) {
    return List.of(new Tree("", TreeEdge.binomial(helpers)));
  }
}
