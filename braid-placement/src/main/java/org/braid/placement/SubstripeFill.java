package org.braid.placement;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Completes a stripe of a code with local groups of which some blocks are on their nodes already:
 * whether the others have places at all, and where.
 *
 * <p>Global parities count in every substripe of their rack, so the limits are not nested and no
 * single flow answers. But once the racks of the few global parities are fixed, one does: groups ->
 * (group, rack) -> rack. Their racks are searched, those with fewest blocks first.
 */
final class SubstripeFill {
  /** Ways to spread the global parities that are tried at most. */
  private static final int MAX_SPREADS = 5_000;

  private final Candidates candidates;
  private final Topology topology;
  private final SubstripeLimits limits;
  private final RandomGenerator random;
  private final int[] nodeOf;
  private final int[] free;
  private final int[] total;

  /** Blocks of each group, and last the global parities, in each rack. */
  private final int[][] inRack;

  private int spreads;

  SubstripeFill(Candidates candidates, SubstripeLimits limits, RandomGenerator random) {
    this.candidates = candidates;
    this.topology = candidates.topology();
    this.limits = limits;
    this.random = random;
    nodeOf = new int[limits.substripes().code().n()];
    Arrays.fill(nodeOf, Candidates.NONE);
    free = new int[topology.racks()];
    for (int rack = 0; rack < free.length; rack++) {
      free[rack] = limits.allows(rack) ? candidates.in(rack).length : 0;
    }
    total = new int[topology.racks()];
    inRack = new int[limits.substripes().groups().size() + 1][topology.racks()];
  }

  /** Puts a block on its node, which is a candidate and free. */
  void take(int block, int node) {
    nodeOf[block] = node;
    count(limits.substripes().groupOf(block), topology.rackOf(node), 1);
  }

  private void count(int group, int rack, int blocks) {
    inRack[group][rack] += blocks;
    total[rack] += blocks;
    free[rack] -= blocks;
  }

  /** The node of every block; empty when the blocks that have none find no places. */
  Optional<int[]> complete() {
    int[][] missing = new int[inRack.length][];
    for (int group = 0; group < missing.length; group++) {
      int of = group;
      missing[group] =
          IntStream.range(0, nodeOf.length)
              .filter(b -> nodeOf[b] == Candidates.NONE && limits.substripes().groupOf(b) == of)
              .toArray();
    }
    spreads = 0;
    int[] racks = order();
    int globals = missing.length - 1;
    int[][] counts = spread(missing, racks, 0, missing[globals].length, globals);
    return counts == null ? Optional.empty() : Optional.of(nodes(missing, counts));
  }

  /** Racks that may hold blocks, those with fewest first, ties at random. */
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

  /** Spreads global parities over the racks from one on, one a rack if that works. */
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
      // The next rack before this one again: global parities apart are the better layout.
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
      // The flow takes the edges added last first: those are to be of the emptiest racks.
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
          int node = Candidates.pick(candidates.in(rack), n -> !taken[n], random);
          taken[node] = true;
          out[missing[group][next++]] = node;
        }
      }
    }
    return out;
  }
}
