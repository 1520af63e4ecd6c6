package org.braid.placement.lrc;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowNetwork;
import org.jspecify.annotations.Nullable;

/**
 * Completes a stripe of a code with local groups: finds nodes for the blocks that have none beside
 * those that have one.
 *
 * <p>A global parity counts in every substripe of its rack, so that the limits are not nested and
 * one flow does not suffice. Once the racks of the few global parities are fixed, the flow groups
 * -> (group, rack) -> rack places the other blocks. A search tries racks for the global parities,
 * those with fewest blocks first.
 */
final class SubstripeCompletion {
  /** Limit of the search: choices of racks for the global parities. */
  private static final int MAX_SPREADS = 5_000;

  private final EligibleNodes eligible;
  private final Topology topology;
  private final SubstripeLimits limits;
  private final RandomGenerator random;
  private final int[] nodeOf;
  private final int[] free;
  private final int[] total;

  /** Number of blocks in each rack of each group and, in the last row, of the global parities. */
  private final int[][] inRack;

  private int spreads;

  SubstripeCompletion(EligibleNodes eligible, SubstripeLimits limits, RandomGenerator random) {
    this.eligible = eligible;
    this.topology = eligible.topology();
    this.limits = limits;
    this.random = random;
    nodeOf = new int[limits.substripes().code().n()];
    Arrays.fill(nodeOf, EligibleNodes.NONE);
    free = new int[topology.racks()];
    for (int rack = 0; rack < free.length; rack++) {
      free[rack] = limits.allows(rack) ? eligible.in(rack).length : 0;
    }
    total = new int[topology.racks()];
    inRack = new int[limits.substripes().groups().size() + 1][topology.racks()];
  }

  /** Puts a block on a free eligible node. */
  void take(int block, int node) {
    nodeOf[block] = node;
    count(limits.substripes().groupOf(block), topology.rackOf(node), 1);
  }

  private void count(int group, int rack, int blocks) {
    inRack[group][rack] += blocks;
    total[rack] += blocks;
    free[rack] -= blocks;
  }

  /** The node of every block; empty when the missing blocks do not fit. */
  Optional<int[]> complete() {
    int[][] missing = new int[inRack.length][];
    for (int group = 0; group < missing.length; group++) {
      int of = group;
      missing[group] =
          IntStream.range(0, nodeOf.length)
              .filter(b -> nodeOf[b] == EligibleNodes.NONE && limits.substripes().groupOf(b) == of)
              .toArray();
    }
    spreads = 0;
    int[] racks = order();
    int globals = missing.length - 1;
    int[][] counts = spread(missing, racks, 0, missing[globals].length, globals);
    return counts == null ? Optional.empty() : Optional.of(nodes(missing, counts));
  }

  /** Racks that may hold blocks, those with fewest blocks first, ties in random order. */
  private int[] order() {
    double[] key = new double[total.length];
    Arrays.setAll(key, rack -> total[rack] + random.nextDouble());
    return IntStream.range(0, key.length)
        .filter(rack -> free[rack] > 0)
        .boxed()
        .sorted(Comparator.comparingDouble(rack -> key[rack]))
        .mapToInt(rack -> rack)
        .toArray();
  }

  /** Spreads global parities over the racks from one on, if possible one a rack. */
  private int @Nullable [][] spread(int[][] missing, int[] racks, int from, int left, int globals) {
    if (left == 0) {
      return spreads++ < MAX_SPREADS ? flow(missing, racks) : null;
    }
    for (int i = from; i < racks.length && spreads < MAX_SPREADS; i++) {
      int rack = racks[i];
      if (!hasRoomForGlobal(rack)) {
        continue;
      }
      count(globals, rack, 1);
      // The next rack before this one again, so that global parities are in different racks.
      int[][] counts = spread(missing, racks, i + 1, left - 1, globals);
      if (counts == null) {
        counts = spread(missing, racks, i, left - 1, globals);
      }
      count(globals, rack, -1);
      if (counts != null) {
        counts[globals][rack]++;
        return counts;
      }
    }
    return null;
  }

  private boolean hasRoomForGlobal(int rack) {
    int fullest = 0;
    for (int group = 0; group < inRack.length - 1; group++) {
      fullest = Math.max(fullest, inRack[group][rack]);
    }
    return free[rack] > 0
        && total[rack] < limits.perRack()
        && fullest + inRack[inRack.length - 1][rack] < limits.localPerRack();
  }

  /** How many missing blocks of each group go to each rack; null when they do not fit. */
  private int @Nullable [][] flow(int[][] missing, int[] racks) {
    int groups = missing.length - 1;
    int wanted = Arrays.stream(missing, 0, groups).mapToInt(m -> m.length).sum();
    int firstRack = 2 + groups;
    FlowNetwork network = new FlowNetwork(firstRack + racks.length);
    int[][] edges = new int[groups][racks.length];
    for (int i = 0; i < racks.length; i++) {
      int rack = racks[i];
      network.addEdge(
          firstRack + i, 1, Math.max(0, Math.min(free[rack], limits.perRack() - total[rack])));
    }
    for (int group = 0; group < groups; group++) {
      network.addEdge(0, 2 + group, missing[group].length);
      // The flow takes the edges added last first: add those of the emptiest racks last.
      for (int i = racks.length - 1; i >= 0; i--) {
        int rack = racks[i];
        int room = limits.localPerRack() - inRack[group][rack] - inRack[groups][rack];
        edges[group][i] = network.addEdge(2 + group, firstRack + i, Math.max(0, room));
      }
    }
    if (network.maxFlow(0, 1) < wanted) {
      return null;
    }
    int[][] counts = new int[missing.length][topology.racks()];
    for (int group = 0; group < groups; group++) {
      for (int i = 0; i < racks.length; i++) {
        counts[group][racks[i]] = network.flow(edges[group][i]);
      }
    }
    return counts;
  }

  private int[] nodes(int[][] missing, int[][] counts) {
    int[] out = nodeOf.clone();
    boolean[] taken = new boolean[topology.nodes()];
    Arrays.stream(out).filter(node -> node >= 0).forEach(node -> taken[node] = true);
    for (int group = 0; group < missing.length; group++) {
      int next = 0;
      for (int rack = 0; rack < topology.racks(); rack++) {
        for (int i = 0; i < counts[group][rack]; i++) {
          int node = RandomChoice.pick(eligible.in(rack), n -> !taken[n], random);
          taken[node] = true;
          out[missing[group][next++]] = node;
        }
      }
    }
    return out;
  }
}
