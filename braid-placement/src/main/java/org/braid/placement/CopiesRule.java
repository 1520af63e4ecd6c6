package org.braid.placement;

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
import org.braid.placement.StripePlacement.StripeLayout;

/**
 * A rule for stripes with copies of parity (Geo-MXOR section V-D). Copies are blocks like all
 * others: what the rule promises, it promises of them too. As far as that leaves a choice, the
 * copies of a parity are at different sites, else in different racks.
 */
public final class CopiesRule implements StripeRule {
  private static final int SAME_SITE = 1 << 16;
  private static final int SAME_RACK = 1;

  private final StripeRule rule;
  private final ParityCopies code;
  private final IntPredicate free;

  /**
   * A rule.
   *
   * @param rule says where blocks may be, of this code
   * @param free parity blocks that may change places with each other under that rule
   */
  public CopiesRule(StripeRule rule, ParityCopies code, IntPredicate free) {
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
  public void check(Topology topology, IntPredicate eligible) {
    rule.check(topology, eligible);
  }

  @Override
  public StripeLayout layout(
      Topology topology,
      IntPredicate eligible,
      List<int[]> replicas,
      NodeLoads loads,
      RandomGenerator random) {
    StripeLayout layout = rule.layout(topology, eligible, replicas, loads, random);
    return new StripeLayout(
        layout.dataNodes(), layout.relocated(), apart(topology, layout.parityNodes()));
  }

  /**
   * Lets parities change places as long as that takes copies of one apart. Where all may, no choice
   * among these places leaves fewer pairs of copies at one site.
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

  /** Swaps two blocks if that takes copies apart. */
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
  public boolean keeps(Topology topology, IntPredicate eligible, List<int[]> replicas, int blocks) {
    return rule.keeps(topology, eligible, replicas, blocks);
  }

  @Override
  public BlockPlacer replication(Topology topology, ReplicaLayout layout) {
    return rule.replication(topology, layout);
  }

  /**
   * As the rule chooses them, then each farther from its copies if there is such a node, or if it
   * can change places with another lost block.
   */
  @Override
  public int[] destinations(
      Topology topology,
      IntPredicate eligible,
      int[] nodeOf,
      List<Integer> lost,
      RandomGenerator random) {
    int[] chosen = rule.destinations(topology, eligible, nodeOf, lost, random);
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
              .filter(node -> eligible.test(node) && rule.fits(topology, places, block, node))
              .toArray();
      int best =
          Arrays.stream(fitting)
              .map(node -> crowding(topology, places, block, node))
              .min()
              .orElse(least);
      int farther =
          Candidates.pick(fitting, node -> crowding(topology, places, block, node) == best, random);
      if (farther != NOWHERE) {
        places[block] = farther;
      }
      for (int other : lost) {
        exchange(topology, places, block, other);
      }
    }
    return lost.stream().mapToInt(block -> places[block]).toArray();
  }

  /** Two blocks change places if both may and that takes copies apart. */
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
