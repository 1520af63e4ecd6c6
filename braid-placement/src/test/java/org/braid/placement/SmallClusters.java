package org.braid.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.braid.placement.rule.StripeLimits;

/** Random small topologies and an exhaustive search over the places of a stripe in them. */
public final class SmallClusters {
  private SmallClusters() {}

  /** 1 to maxRacks racks of 1 to maxPerRack nodes each. */
  public static Topology topology(Random random, int maxRacks, int maxPerRack) {
    Topology.Builder builder = Topology.builder();
    int racks = 1 + random.nextInt(maxRacks);
    for (int rack = 0; rack < racks; rack++) {
      int nodes = 1 + random.nextInt(maxPerRack);
      for (int i = 0; i < nodes; i++) {
        builder.add("r" + rack + "n" + i, "r" + rack);
      }
    }
    return builder.build();
  }

  public static EligibleNodes eligible(Random random, Topology topology, double share) {
    boolean[] eligible = new boolean[topology.nodes()];
    for (int node = 0; node < eligible.length; node++) {
      eligible[node] = random.nextDouble() < share;
    }
    return EligibleNodes.of(topology, node -> eligible[node]);
  }

  public static StripeLimits limits(Random random, Topology topology) {
    Set<Integer> targets = new TreeSet<>();
    if (random.nextInt(3) == 0) {
      targets.add(random.nextInt(topology.racks()));
      targets.add(random.nextInt(topology.racks()));
    }
    return new StripeLimits(1 + random.nextInt(3), targets);
  }

  /** Up to maxReplicas distinct nodes for each block. */
  public static List<int[]> replicas(
      Random random, Topology topology, int blocks, int maxReplicas) {
    List<int[]> replicas = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      replicas.add(
          random.ints(random.nextInt(maxReplicas + 1), 0, topology.nodes()).distinct().toArray());
    }
    return replicas;
  }

  /** Whether nodes are distinct, eligible, and within the limits. */
  public static boolean legal(EligibleNodes eligible, StripeLimits limits, int... nodes) {
    Topology topology = eligible.topology();
    int[] inRack = new int[topology.racks()];
    for (int node : nodes) {
      int rack = topology.rackOf(node);
      if (!eligible.contains(node) || !limits.allows(rack) || ++inRack[rack] > limits.perRack()) {
        return false;
      }
    }
    return Arrays.stream(nodes).distinct().count() == nodes.length;
  }

  /**
   * Fewest moved data blocks over all places of all blocks, by trying every one; MAX_VALUE when
   * there is none. Blocks after the replicas are parities, which do not count.
   */
  public static int fewestRelocations(
      EligibleNodes eligible, StripeLimits limits, List<int[]> replicas, int n, int... placed) {
    if (placed.length == n) {
      return 0;
    }
    int best = Integer.MAX_VALUE;
    for (int node = 0; node < eligible.topology().nodes(); node++) {
      int candidate = node;
      int[] more = IntStream.concat(IntStream.of(placed), IntStream.of(node)).toArray();
      if (!legal(eligible, limits, more)) {
        continue;
      }
      boolean moved =
          placed.length < replicas.size()
              && Arrays.stream(replicas.get(placed.length)).noneMatch(r -> r == candidate);
      int rest = fewestRelocations(eligible, limits, replicas, n, more);
      if (rest != Integer.MAX_VALUE) {
        best = Math.min(best, rest + (moved ? 1 : 0));
      }
    }
    return best;
  }
}
