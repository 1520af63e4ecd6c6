package org.braid.placement;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.braid.placement.StripePlacement.StripeLayout;

/**
 * Keeps parities in the rack where they are made, as far as the rule of the stripe allows: where a
 * rack may hold several blocks, fewer of them then cross racks (EAR section 5.2, experiment 6 with
 * fig. 16(e)). Data gives way where another replica of it can stay instead, as that costs nothing.
 */
public final class NearParity {
  private final StripeRule rule;
  private final Topology topology;
  private final IntPredicate eligible;
  private final int rack;
  private final RandomGenerator random;
  private final int[] nodeOf;

  private NearParity(
      StripeRule rule, Topology topology, IntPredicate eligible, int rack, RandomGenerator random) {
    this.rule = rule;
    this.topology = topology;
    this.eligible = eligible;
    this.rack = rack;
    this.random = random;
    nodeOf = new int[rule.code().n()];
    Arrays.fill(nodeOf, StripeRule.NOWHERE);
  }

  /**
   * The same layout with parities moved into a rack.
   *
   * @param eligible nodes that may hold a block
   * @param layout places that keep the rule
   * @param replicas for each data block the nodes with a good replica
   * @param rack where the stripe is encoded; negative for nowhere in particular
   * @param random for the choice among nodes of the rack, and of the data that gives way
   */
  public static StripeLayout in(
      StripeRule rule,
      Topology topology,
      IntPredicate eligible,
      StripeLayout layout,
      List<int[]> replicas,
      int rack,
      RandomGenerator random) {
    return rack < 0
        ? layout
        : new NearParity(rule, topology, eligible, rack, random).move(layout, replicas);
  }

  private StripeLayout move(StripeLayout layout, List<int[]> replicas) {
    int data = layout.dataNodes().length;
    int first = rule.code().k();
    int parities = layout.parityNodes().length;
    System.arraycopy(layout.dataNodes(), 0, nodeOf, 0, data);
    System.arraycopy(layout.parityNodes(), 0, nodeOf, first, parities);
    int[] members =
        topology.nodesIn(rack).stream().mapToInt(node -> node).filter(eligible).toArray();
    for (int block = first; block < first + parities; block++) {
      if (topology.rackOf(nodeOf[block]) == rack) {
        continue;
      }
      int parity = block;
      int node = Candidates.pick(members, n -> fits(parity, n), random);
      for (int i = 0; i < data && node == Candidates.NONE; i++) {
        int kept = nodeOf[i];
        if (topology.rackOf(kept) == rack && giveWay(i, replicas.get(i))) {
          node = Candidates.pick(members, n -> fits(parity, n), random);
          if (node == Candidates.NONE) {
            nodeOf[i] = kept;
          }
        }
      }
      nodeOf[block] = node == Candidates.NONE ? nodeOf[block] : node;
    }
    return new StripeLayout(
        Arrays.copyOf(nodeOf, data),
        layout.relocated(),
        Arrays.copyOfRange(nodeOf, first, first + parities));
  }

  private boolean fits(int block, int node) {
    return rule.fits(topology, nodeOf, block, node);
  }

  /** Keeps another replica of a data block than the one in the rack, if the rule allows. */
  private boolean giveWay(int block, int[] replicas) {
    int other =
        Candidates.pick(
            replicas,
            node -> topology.rackOf(node) != rack && eligible.test(node) && fits(block, node),
            random);
    if (other != Candidates.NONE) {
      nodeOf[block] = other;
    }
    return other != Candidates.NONE;
  }
}
