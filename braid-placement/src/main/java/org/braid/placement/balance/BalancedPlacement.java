package org.braid.placement.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowNetwork;
import org.braid.placement.rule.StripeLimits;
import org.jspecify.annotations.Nullable;

/**
 * Places the stripes of files so that readers load all nodes evenly.
 *
 * <p>A reader of a file reads all its data blocks, and a node holds at most one block of a stripe.
 * So a node serves each reader as many blocks as it holds of the file. The placement minimises two
 * numbers, the first before the second:
 *
 * <ol>
 *   <li>for each file, the most data blocks of the file on one node: r readers of the file read at
 *       most r times as many from any node;
 *   <li>over all files, the most data blocks on one node.
 * </ol>
 *
 * <p>Bound: for S stripes on N empty nodes in equal racks with c >= k/R, both numbers are
 * ceil(kS/N). No placement does better, as some of N nodes holds ceil(kS/N) of kS blocks. This one
 * does as well: spreading each stripe evenly, k/N of a block on each node, is a flow within these
 * capacities, and a network of integer capacities has an integer flow of the same value.
 */
public final class BalancedPlacement {
  private final Topology topology;
  private final int[] nodes;
  private final int k;
  private final int parities;
  private final StripeLimits limits;
  private final int[] load;
  private final int[] stored;

  private BalancedPlacement(
      EligibleNodes eligible,
      int k,
      int parities,
      StripeLimits limits,
      int[] load,
      RandomGenerator random) {
    this.topology = eligible.topology();
    this.k = k;
    this.parities = parities;
    this.limits = limits;
    this.load = load.clone();
    this.stored = load.clone();
    // The flow prefers nodes that come first: their order is random.
    List<Integer> order = new ArrayList<>(IntStream.range(0, topology.nodes()).boxed().toList());
    RandomChoice.shuffle(order, random);
    this.nodes =
        order.stream()
            .mapToInt(node -> node)
            .filter(n -> eligible.contains(n) && limits.allows(topology.rackOf(n)))
            .toArray();
  }

  /**
   * A placement.
   *
   * @param files for each file the nodes of its stripes, each with data blocks first
   * @param fileBounds for each file the most data blocks of it on one node
   * @param bound the most data blocks on one node, including earlier ones
   */
  public record Balanced(List<List<int[]>> files, List<Integer> fileBounds, int bound) {
    /** Copies the lists. */
    public Balanced {
      files = files.stream().map(List::copyOf).toList();
      fileBounds = List.copyOf(fileBounds);
    }
  }

  /**
   * Places the stripes of files.
   *
   * @param eligible nodes that may hold blocks
   * @param k data blocks of a stripe
   * @param parities parities of a stripe
   * @param stripes for each file the number of its stripes
   * @param load for each node the number of data blocks that it already holds
   * @throws PlacementException when a stripe does not fit on the nodes
   */
  public static Balanced place(
      EligibleNodes eligible,
      int k,
      int parities,
      StripeLimits limits,
      int[] stripes,
      int[] load,
      RandomGenerator random) {
    if (k < 1 || parities < 0 || Arrays.stream(stripes).anyMatch(s -> s < 1)) {
      throw new IllegalArgumentException(
          "k = %d, %d parities, stripes of files %s: needed are k of 1 or more, parities of 0 or"
                  .formatted(k, parities, Arrays.toString(stripes))
              + " more and files of 1 or more stripes");
    }
    if (load.length != eligible.topology().nodes()) {
      throw new IllegalArgumentException(
          "loads of %d nodes in a topology of %d"
              .formatted(load.length, eligible.topology().nodes()));
    }
    limits.check("the stripe", k + parities, eligible);
    return new BalancedPlacement(eligible, k, parities, limits, load, random).place(stripes);
  }

  private Balanced place(int[] stripes) {
    List<Integer> fileBounds = new ArrayList<>();
    for (int count : stripes) {
      int bound = ceil((long) k * count, nodes.length);
      while (flow(new int[] {count}, List.of(bound), Integer.MAX_VALUE, new int[load.length])
          == null) {
        bound++;
      }
      fileBounds.add(bound);
    }
    int low = lowest((long) k * Arrays.stream(stripes).sum()) - 1;
    int high = low;
    List<List<int[]>> placed = null;
    for (int step = 1; placed == null; step *= 2) {
      low = high;
      high += step;
      placed = flow(stripes, fileBounds, high, load);
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      List<List<int[]>> better = flow(stripes, fileBounds, middle, load);
      if (better == null) {
        low = middle;
      } else {
        high = middle;
        placed = better;
      }
    }
    for (List<int[]> file : placed) {
      file.forEach(stripe -> IntStream.range(0, k).forEach(i -> stored[stripe[i]]++));
    }
    placed.forEach(file -> file.forEach(this::addParities));
    return new Balanced(placed, fileBounds, Math.max(high, Arrays.stream(load).max().orElse(0)));
  }

  private static int ceil(long blocks, int nodes) {
    return Math.toIntExact((blocks + nodes - 1) / nodes);
  }

  /** The lowest level for which filling all nodes up to it takes this many blocks. */
  private int lowest(long blocks) {
    int level = ceil(blocks, nodes.length);
    while (room(level) < blocks) {
      level++;
    }
    return level;
  }

  private long room(int level) {
    return Arrays.stream(nodes).mapToLong(node -> Math.max(0, level - load[node])).sum();
  }

  /**
   * The nodes of the data blocks of all stripes, so that no node holds more of a file than its
   * bound and more in all than the level; null when there are no such nodes.
   */
  private @Nullable List<List<int[]>> flow(
      int[] stripes, List<Integer> fileBounds, int level, int[] before) {
    int racks = topology.racks();
    int total = Arrays.stream(stripes).sum();
    int firstRack = 2 + total;
    int firstInFile = firstRack + total * racks;
    int firstNode = firstInFile + stripes.length * nodes.length;
    FlowNetwork network = new FlowNetwork(firstNode + nodes.length);
    for (int i = 0; i < nodes.length; i++) {
      network.addEdge(firstNode + i, 1, Math.max(0, level - before[nodes[i]]));
      for (int file = 0; file < stripes.length; file++) {
        network.addEdge(firstInFile + file * nodes.length + i, firstNode + i, fileBounds.get(file));
      }
    }
    int[][] edges = new int[total][nodes.length];
    int stripe = 0;
    for (int file = 0; file < stripes.length; file++) {
      for (int end = stripe + stripes[file]; stripe < end; stripe++) {
        network.addEdge(0, 2 + stripe, k);
        int rackVertex = firstRack + stripe * racks;
        for (int rack = 0; rack < racks; rack++) {
          network.addEdge(2 + stripe, rackVertex + rack, limits.perRack());
        }
        for (int i = 0; i < nodes.length; i++) {
          edges[stripe][i] =
              network.addEdge(
                  rackVertex + topology.rackOf(nodes[i]), firstInFile + file * nodes.length + i, 1);
        }
      }
    }
    if (network.maxFlow(0, 1) < (long) k * total) {
      return null;
    }
    List<List<int[]>> files = new ArrayList<>();
    stripe = 0;
    for (int count : stripes) {
      List<int[]> file = new ArrayList<>();
      for (int end = stripe + count; stripe < end; stripe++) {
        int[] of = edges[stripe];
        int[] used =
            IntStream.range(0, nodes.length)
                .filter(i -> network.flow(of[i]) > 0)
                .map(i -> nodes[i])
                .toArray();
        file.add(Arrays.copyOf(used, k + parities));
      }
      files.add(file);
    }
    return files;
  }

  /** Places parities on the nodes that store least, within the limits. */
  private void addParities(int[] stripe) {
    int[] inRack = new int[topology.racks()];
    boolean[] taken = new boolean[topology.nodes()];
    for (int i = 0; i < stripe.length; i++) {
      if (i >= k) {
        stripe[i] =
            Arrays.stream(nodes)
                .filter(n -> !taken[n] && inRack[topology.rackOf(n)] < limits.perRack())
                .boxed()
                .min((a, b) -> Integer.compare(stored[a], stored[b]))
                .orElseThrow();
        stored[stripe[i]]++;
      }
      taken[stripe[i]] = true;
      inRack[topology.rackOf(stripe[i])]++;
    }
  }
}
