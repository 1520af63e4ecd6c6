package org.braid.placement.rule;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;

/**
 * Completes a stripe: adds blocks one by one on nodes within the limits. A greedy choice is never a
 * dead end, see {@link StripeLimits#room}.
 */
final class StripeCompletion {
  private final EligibleNodes eligible;
  private final Topology topology;
  private final StripeLimits limits;
  private final RandomGenerator random;
  private final boolean[] taken;
  private final int[] inRack;

  StripeCompletion(EligibleNodes eligible, StripeLimits limits, RandomGenerator random) {
    this.eligible = eligible;
    this.topology = eligible.topology();
    this.limits = limits;
    this.random = random;
    this.taken = new boolean[topology.nodes()];
    this.inRack = new int[topology.racks()];
  }

  /** Counts a block that is on a node, even if the limits do not allow it. */
  void take(int node) {
    taken[node] = true;
    inRack[topology.rackOf(node)]++;
  }

  /** Takes a random node in the racks with the fewest blocks of the stripe; -1 if there is none. */
  int takeLeast() {
    int least = leastInARack();
    return taken(eligible.pick(node -> isIn(node, least), random));
  }

  /**
   * Takes the node with least load in the racks with the fewest blocks of the stripe, ties at
   * random; -1 if there is none.
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
      if (inRack[rack] < least && eligible.anyIn(rack, this::isFree)) {
        least = inRack[rack];
      }
    }
    return least;
  }

  /**
   * Takes the node with least load in the racks of these replicas, ties at random; -1 if there is
   * none.
   */
  int takeNear(int[] replicas, IntToLongFunction load) {
    return takeLightest(
        node ->
            isFree(node)
                && Arrays.stream(replicas)
                    .anyMatch(r -> topology.rackOf(r) == topology.rackOf(node)),
        load);
  }

  private int takeLightest(IntPredicate passes, IntToLongFunction load) {
    int[] passing = Arrays.stream(eligible.nodes()).filter(passes).toArray();
    long least = Arrays.stream(passing).mapToLong(load).min().orElse(0);
    return taken(RandomChoice.pick(passing, n -> load.applyAsLong(n) == least, random));
  }

  private int taken(int node) {
    if (node != EligibleNodes.NONE) {
      take(node);
    }
    return node;
  }

  private boolean isFree(int node) {
    int rack = topology.rackOf(node);
    return !taken[node] && limits.allows(rack) && inRack[rack] < limits.perRack();
  }
}
