package org.braid.placement.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.EligibleNodes;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowCheck;

/**
 * A rule for stripes with copies of parity (Geo-MXOR section V-D). Copies are blocks as all others
 * and keep the same rule. As far as the rule leaves a choice, the copies of a parity are at
 * different sites, else in different racks.
 */
public final class ParityCopiesRule implements StripeRule {
  private static final int SAME_SITE = 1 << 16;
  private static final int SAME_RACK = 1;

  private final StripeRule rule;
  private final ParityCopies code;
  private final IntPredicate free;

  /**
   * Adds the separation of copies to a rule.
   *
   * @param rule the rule of the blocks of the code
   * @param free tests for parities that may swap nodes under the rule
   */
  public ParityCopiesRule(StripeRule rule, ParityCopies code, IntPredicate free) {
    this.rule = rule;
    this.code = code;
    this.free = free;
  }

  @Override
  public ErasureCode code() {
    return code;
  }

  @Override
  public int perRack() {
    return rule.perRack();
  }

  @Override
  public Set<Integer> targetRacks() {
    return rule.targetRacks();
  }

  @Override
  public Optional<SitePromise> sites() {
    return rule.sites();
  }

  @Override
  public String text() {
    return rule.text();
  }

  @Override
  public void check(EligibleNodes eligible) {
    rule.check(eligible);
  }

  @Override
  public EncodedStripe layout(
      EligibleNodes eligible, List<int[]> replicas, NodeLoads loads, RandomGenerator random) {
    EncodedStripe layout = rule.layout(eligible, replicas, loads, random);
    return new EncodedStripe(
        layout.dataNodes(), layout.relocated(), apart(eligible.topology(), layout.parityNodes()));
  }

  /**
   * Swaps the nodes of parities while that separates copies. If all parities may swap, no other
   * order on the same nodes has fewer pairs of copies at one site.
   */
  private int[] apart(Topology topology, int[] parityNodes) {
    int[] nodeOf = new int[code.n()];
    Arrays.fill(nodeOf, NOWHERE);
    System.arraycopy(parityNodes, 0, nodeOf, code.k(), parityNodes.length);
    int[] swapped = IntStream.range(code.k(), code.n()).filter(free).toArray();
    boolean better = true;
    while (better) {
      better = false;
      for (int a : swapped) {
        for (int b : swapped) {
          better |= a < b && swap(topology, nodeOf, a, b);
        }
      }
    }
    return Arrays.copyOfRange(nodeOf, code.k(), code.n());
  }

  /** Swaps the nodes of two blocks if that separates copies. */
  private boolean swap(Topology topology, int[] nodeOf, int a, int b) {
    int before =
        crowding(topology, nodeOf, a, nodeOf[a]) + crowding(topology, nodeOf, b, nodeOf[b]);
    exchange(nodeOf, a, b);
    int after = crowding(topology, nodeOf, a, nodeOf[a]) + crowding(topology, nodeOf, b, nodeOf[b]);
    if (after < before && !code.copiesOf(a).contains(b)) {
      return true;
    }
    exchange(nodeOf, a, b);
    return false;
  }

  private static void exchange(int[] nodeOf, int a, int b) {
    int node = nodeOf[a];
    nodeOf[a] = nodeOf[b];
    nodeOf[b] = node;
  }

  @Override
  public int crowding(Topology topology, int[] nodeOf, int block, int node) {
    int sum = rule.crowding(topology, nodeOf, block, node);
    for (int copy : code.copiesOf(block)) {
      if (copy != block && nodeOf[copy] >= 0) {
        sum += topology.siteOf(nodeOf[copy]) == topology.siteOf(node) ? SAME_SITE : 0;
        sum += topology.rackOf(nodeOf[copy]) == topology.rackOf(node) ? SAME_RACK : 0;
      }
    }
    return sum;
  }

  @Override
  public boolean keeps(EligibleNodes eligible, List<int[]> replicas, int blocks) {
    return rule.keeps(eligible, replicas, blocks);
  }

  @Override
  public FlowCheck after(EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
    return rule.after(eligible, replicas, random);
  }

  /**
   * The nodes that the rule chooses; then each block moves farther from its copies if a free node,
   * or a swap with another lost block, allows it.
   */
  @Override
  public int[] destinations(
      EligibleNodes eligible, int[] nodeOf, List<Integer> lost, RandomGenerator random) {
    Topology topology = eligible.topology();
    int[] chosen = rule.destinations(eligible, nodeOf, lost, random);
    int[] places = nodeOf.clone();
    for (int i = 0; i < chosen.length; i++) {
      places[lost.get(i)] = chosen[i];
    }
    for (int i = 0; i < chosen.length; i++) {
      int block = lost.get(i);
      int least = crowding(topology, places, block, places[block]);
      int[] fitting =
          IntStream.range(0, topology.nodes())
              .filter(node -> crowding(topology, places, block, node) < least)
              .filter(node -> eligible.contains(node) && rule.fits(topology, places, block, node))
              .toArray();
      int best =
          Arrays.stream(fitting)
              .map(node -> crowding(topology, places, block, node))
              .min()
              .orElse(least);
      int farther =
          RandomChoice.pick(
              fitting, node -> crowding(topology, places, block, node) == best, random);
      if (farther != NOWHERE) {
        places[block] = farther;
      }
      for (int other : lost) {
        exchange(topology, places, block, other);
      }
    }
    return lost.stream().mapToInt(block -> places[block]).toArray();
  }

  /** Swaps the nodes of two blocks if the rule allows both and that separates copies. */
  private void exchange(Topology topology, int[] places, int block, int other) {
    if (block != other
        && swap(topology, places, block, other)
        && !(rule.fits(topology, places, block, places[block])
            && rule.fits(topology, places, other, places[other]))) {
      exchange(places, block, other);
    }
  }

  @Override
  public boolean fits(Topology topology, int[] nodeOf, int block, int node) {
    return rule.fits(topology, nodeOf, block, node);
  }

  @Override
  public Map<Integer, String> breaches(Topology topology, int[] nodeOf, List<Integer> claims) {
    return rule.breaches(topology, nodeOf, claims);
  }
}
