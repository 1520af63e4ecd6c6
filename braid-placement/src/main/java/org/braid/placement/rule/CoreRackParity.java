package org.braid.placement.rule;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;

/**
 * Keeps parities in the rack that encodes the stripe, as far as its rule allows. When a rack may
 * hold several blocks, fewer parities then cross racks (EAR section 5.2, experiment 6 with fig.
 * 16(e)). A data block makes room if another of its replicas can stay instead, which costs no
 * transfer.
 */
public final class CoreRackParity {
  private final StripeRule rule;
  private final Topology topology;
  private final EligibleNodes eligible;
  private final EligibleNodes preferred;
  private final int rack;
  private final RandomGenerator random;
  private final int[] nodeOf;

  private CoreRackParity(
      StripeRule rule,
      EligibleNodes eligible,
      EligibleNodes preferred,
      int rack,
      RandomGenerator random) {
    this.rule = rule;
    this.topology = eligible.topology();
    this.eligible = eligible;
    this.preferred = preferred;
    this.rack = rack;
    this.random = random;
    nodeOf = new int[rule.code().n()];
    Arrays.fill(nodeOf, StripeRule.NOWHERE);
  }

  /**
   * Moves parities of a layout into a rack.
   *
   * @param eligible nodes that may hold a block
   * @param layout a layout that keeps the rule
   * @param replicas for each data block the nodes with a good replica
   * @param rack the rack that encodes the stripe; negative for none, which moves nothing
   * @param random chooses among the nodes of the rack and the other replicas of data
   */
  public static EncodedStripe in(
      StripeRule rule,
      EligibleNodes eligible,
      EncodedStripe layout,
      List<int[]> replicas,
      int rack,
      RandomGenerator random) {
    return in(rule, eligible, eligible, layout, replicas, rack, random);
  }

  /**
   * The same, but parities stay on preferred nodes.
   *
   * @param preferred for example nodes with the wanted storage; a parity on a preferred node stays,
   *     or moves to another preferred node
   */
  public static EncodedStripe in(
      StripeRule rule,
      EligibleNodes eligible,
      EligibleNodes preferred,
      EncodedStripe layout,
      List<int[]> replicas,
      int rack,
      RandomGenerator random) {
    return rack < 0
        ? layout
        : new CoreRackParity(rule, eligible, preferred, rack, random).move(layout, replicas);
  }

  private EncodedStripe move(EncodedStripe layout, List<int[]> replicas) {
    int data = layout.dataNodes().length;
    int first = rule.code().k();
    int parities = layout.parityNodes().length;
    System.arraycopy(layout.dataNodes(), 0, nodeOf, 0, data);
    System.arraycopy(layout.parityNodes(), 0, nodeOf, first, parities);
    int[] members = eligible.in(rack);
    for (int block = first; block < first + parities; block++) {
      if (topology.rackOf(nodeOf[block]) == rack) {
        continue;
      }
      int parity = block;
      int node = RandomChoice.pick(members, n -> takes(parity, n), random);
      for (int i = 0; i < data && node == EligibleNodes.NONE; i++) {
        int kept = nodeOf[i];
        if (topology.rackOf(kept) == rack && giveWay(i, replicas.get(i))) {
          node = RandomChoice.pick(members, n -> takes(parity, n), random);
          if (node == EligibleNodes.NONE) {
            nodeOf[i] = kept;
          }
        }
      }
      nodeOf[block] = node == EligibleNodes.NONE ? nodeOf[block] : node;
    }
    return new EncodedStripe(
        Arrays.copyOf(nodeOf, data),
        layout.relocated(),
        Arrays.copyOfRange(nodeOf, first, first + parities));
  }

  /** Whether a parity may move to a node. */
  private boolean takes(int parity, int node) {
    return (preferred.contains(node) || !preferred.contains(nodeOf[parity])) && fits(parity, node);
  }

  private boolean fits(int block, int node) {
    return rule.fits(topology, nodeOf, block, node);
  }

  /** Keeps another replica of a data block than the one in the rack, if the rule allows. */
  private boolean giveWay(int block, int[] replicas) {
    int other =
        RandomChoice.pick(
            replicas,
            node -> topology.rackOf(node) != rack && eligible.contains(node) && fits(block, node),
            random);
    if (other != EligibleNodes.NONE) {
      nodeOf[block] = other;
    }
    return other != EligibleNodes.NONE;
  }
}
