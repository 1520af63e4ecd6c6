package org.braid.placement;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;

/**
 * The places of one stripe while blocks are added one by one. Adding greedily is never a dead end,
 * see {@link StripeLimits#room}.
 */
final class StripeFill {
  private final Candidates candidates;
  private final Topology topology;
  private final StripeLimits limits;
  private final RandomGenerator random;
  private final boolean[] taken;
  private final int[] inRack;

  StripeFill(Candidates candidates, StripeLimits limits, RandomGenerator random) {
    this.candidates = candidates;
    this.topology = candidates.topology();
    this.limits = limits;
    this.random = random;
    this.taken = new boolean[topology.nodes()];
    this.inRack = new int[topology.racks()];
  }

  /** Counts a block that is on a node already, whether or not the limits allow it. */
  void take(int node) {
    taken[node] = true;
    inRack[topology.rackOf(node)]++;
  }

  /** Takes a node of the racks with fewest blocks of the stripe, ties at random; -1 if none. */
  int takeLeast() {
    int least = leastInARack();
    return taken(candidates.pick(node -> isIn(node, least), random));
  }

  /**
   * Takes a node of the racks with fewest blocks of the stripe, of these one with least load, ties
   * at random; -1 if none.
   */
  int takeLeast(IntToLongFunction load) {
    int least = leastInARack();
    return takeLightest(node -> isIn(node, least), load);
  }

  private boolean isIn(int node, int blocks) {
    return inRack[topology.rackOf(node)] == blocks && isFree(node);
  }

  /** The fewest blocks of the stripe in a rack that has a free node. */
  private int leastInARack() {
    int least = Integer.MAX_VALUE;
    for (int rack = 0; rack < inRack.length; rack++) {
      if (inRack[rack] < least && candidates.anyIn(rack, this::isFree)) {
        least = inRack[rack];
      }
    }
    return least;
  }

  /** Takes a node of a rack that holds one of these replicas, with least load; -1 if none. */
  int takeNear(int[] replicas, IntToLongFunction load) {
    return takeLightest(
        node ->
            isFree(node)
                && Arrays.stream(replicas)
                    .anyMatch(r -> topology.rackOf(r) == topology.rackOf(node)),
        load);
  }

  private int takeLightest(IntPredicate passes, IntToLongFunction load) {
    int[] passing = Arrays.stream(candidates.all()).filter(passes).toArray();
    long least = Arrays.stream(passing).mapToLong(load).min().orElse(0);
    return taken(Candidates.pick(passing, n -> load.applyAsLong(n) == least, random));
  }

  private int taken(int node) {
    if (node != Candidates.NONE) {
      take(node);
    }
    return node;
  }

  private boolean isFree(int node) {
    int rack = topology.rackOf(node);
    return !taken[node] && limits.allows(rack) && inRack[rack] < limits.perRack();
  }
}
