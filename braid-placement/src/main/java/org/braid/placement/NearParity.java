package org.braid.placement;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.placement.StripePlacement.StripeLayout;

/**
 * Keeps parities in the rack where they are made, as far as the rule of the stripe allows: where a
 * rack may hold several blocks, fewer of them then cross racks (EAR section 5.2, experiment 6 with
 * fig. 16(e)).
 */
public final class NearParity {
  private NearParity() {}

  /**
   * The same layout with parities moved into a rack.
   *
   * @param eligible nodes that may hold a block
   * @param layout places that keep the rule
   * @param rack where the stripe is encoded; negative for nowhere in particular
   * @param random for the choice among nodes of the rack
   */
  public static StripeLayout in(
      StripeRule rule,
      Topology topology,
      IntPredicate eligible,
      StripeLayout layout,
      int rack,
      RandomGenerator random) {
    if (rack < 0) {
      return layout;
    }
    int data = layout.dataNodes().length;
    int[] nodeOf = new int[rule.code().n()];
    Arrays.fill(nodeOf, StripeRule.NOWHERE);
    System.arraycopy(layout.dataNodes(), 0, nodeOf, 0, data);
    int[] parities = layout.parityNodes().clone();
    int first = rule.code().k();
    System.arraycopy(parities, 0, nodeOf, first, parities.length);
    int[] members =
        topology.nodesIn(rack).stream().mapToInt(node -> node).filter(eligible).toArray();
    for (int parity = 0; parity < parities.length; parity++) {
      int block = first + parity;
      if (topology.rackOf(parities[parity]) != rack) {
        int node = Candidates.pick(members, n -> rule.fits(topology, nodeOf, block, n), random);
        if (node != Candidates.NONE) {
          nodeOf[block] = node;
          parities[parity] = node;
        }
      }
    }
    return new StripeLayout(layout.dataNodes(), layout.relocated(), parities);
  }
}
