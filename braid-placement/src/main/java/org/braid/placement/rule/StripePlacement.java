package org.braid.placement.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowMatching;

/**
 * Lays out stripes within limits: which replica of each data block stays, which blocks are
 * relocated, and where the parities go (EAR section 3.2).
 */
public final class StripePlacement {
  private StripePlacement() {}

  /**
   * Lays out a stripe with the fewest relocations that the limits allow.
   *
   * <p>The replicas that stay are a {@link FlowMatching} of the eligible ones, which is the largest
   * set that can stay. The other blocks always find nodes if the stripe fits at all, so that no
   * layout relocates fewer blocks. A relocated block goes to a rack with a replica of it if
   * possible, a parity to a rack with few blocks of the stripe; ties are random.
   *
   * @param eligible nodes that may hold a block; replicas elsewhere are not kept
   * @param replicas for each data block the nodes with a good replica
   * @param parities number of parities
   * @throws PlacementException when the stripe does not fit on the eligible nodes
   */
  public static EncodedStripe layout(
      EligibleNodes eligible,
      List<int[]> replicas,
      int parities,
      StripeLimits limits,
      RandomGenerator random) {
    return layout(eligible, replicas, parities, limits, NodeLoads.NONE, random);
  }

  /**
   * Lays out a stripe with the fewest relocations and, among such layouts, loads nodes evenly:
   * minimises the highest load of the nodes that keep data blocks. Over many stripes this bounds
   * the load of readers on a node, which HDFS-EC (section 7) leaves to future work; {@link
   * org.braid.placement.balance.BalancedPlacement} is the bound for blocks that may go anywhere.
   *
   * @param loads the load of nodes before this stripe; it may change meanwhile
   */
  public static EncodedStripe layout(
      EligibleNodes eligible,
      List<int[]> replicas,
      int parities,
      StripeLimits limits,
      NodeLoads loads,
      RandomGenerator random) {
    NodeLoads once = MemoizedLoads.of(loads);
    limits.requireRoom("the layout", replicas.size() + parities, eligible);
    int[] dataNodes = kept(eligible, replicas, limits, once, random);
    StripeCompletion fill = new StripeCompletion(eligible, limits, random);
    List<Integer> relocated = new ArrayList<>();
    for (int block = 0; block < dataNodes.length; block++) {
      if (dataNodes[block] == EligibleNodes.NONE) {
        relocated.add(block);
      } else {
        fill.take(dataNodes[block]);
      }
    }
    for (int block : relocated) {
      IntToLongFunction load = node -> once.ofData(block, node);
      int near = fill.takeNear(replicas.get(block), load);
      dataNodes[block] = near == EligibleNodes.NONE ? fill.takeLeast(load) : near;
    }
    int[] parityNodes =
        IntStream.range(0, parities).map(parity -> fill.takeLeast(once::ofParity)).toArray();
    return new EncodedStripe(dataNodes, relocated, parityNodes);
  }

  /** Checks that there are replicas of 1 to k data blocks. */
  public static void requireData(ErasureCode code, List<int[]> replicas) {
    if (replicas.isEmpty() || replicas.size() > code.k()) {
      throw new IllegalArgumentException(
          "replicas of %d data blocks for %s, needed are 1 to %d"
              .formatted(replicas.size(), code.name(), code.k()));
    }
  }

  /** The node of the replica that each block keeps, -1 for none; random among equally good ones. */
  private static int[] kept(
      EligibleNodes eligible,
      List<int[]> replicas,
      StripeLimits limits,
      NodeLoads loads,
      RandomGenerator random) {
    // The flow prefers early blocks and early replicas: a random order spreads the load.
    List<Integer> order = shuffled(IntStream.range(0, replicas.size()), random);
    List<int[]> present = new ArrayList<>();
    for (int block : order) {
      present.add(
          shuffled(IntStream.of(replicas.get(block)).filter(eligible::contains), random).stream()
              .sorted(Comparator.comparingLong(node -> loads.ofData(block, node)))
              .mapToInt(node -> node)
              .toArray());
    }
    FlowMatching matching = lowest(eligible.topology(), order, present, limits, loads);
    int[] kept = new int[replicas.size()];
    for (int i = 0; i < kept.length; i++) {
      kept[order.get(i)] = matching.nodeOf(i);
    }
    return kept;
  }

  /**
   * A largest matching with the lowest possible highest load. In it no block can move to a node
   * with less load unless another block moves to a node with more.
   */
  private static FlowMatching lowest(
      Topology topology,
      List<Integer> order,
      List<int[]> present,
      StripeLimits limits,
      NodeLoads loads) {
    FlowMatching best = limits.matching(topology, present);
    if (loads == NodeLoads.NONE) {
      return best;
    }
    long[] levels =
        IntStream.range(0, present.size())
            .boxed()
            .flatMapToLong(
                i -> IntStream.of(present.get(i)).mapToLong(n -> loads.ofData(order.get(i), n)))
            .distinct()
            .sorted()
            .toArray();
    long[] most = new long[present.size()];
    int low = -1;
    int high = levels.length - 1;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      Arrays.fill(most, levels[middle]);
      Optional<FlowMatching> matching =
          asLarge(best, topology, below(most, order, present, loads), limits);
      if (matching.isPresent()) {
        best = matching.get();
        high = middle;
      } else {
        low = middle;
      }
    }
    return lighter(best, topology, order, present, limits, loads);
  }

  /** Moves blocks to nodes with less load, one after the other, until none can move. */
  private static FlowMatching lighter(
      FlowMatching start,
      Topology topology,
      List<Integer> order,
      List<int[]> present,
      StripeLimits limits,
      NodeLoads loads) {
    FlowMatching best = start;
    long[] most = new long[present.size()];
    for (int block = 0; block < most.length; block++) {
      boolean moved = true;
      while (moved) {
        for (int i = 0; i < most.length; i++) {
          int node = best.nodeOf(i);
          most[i] = node == EligibleNodes.NONE ? Long.MAX_VALUE : loads.ofData(order.get(i), node);
        }
        most[block]--;
        if (best.nodeOf(block) == EligibleNodes.NONE) {
          break;
        }
        Optional<FlowMatching> matching =
            asLarge(best, topology, below(most, order, present, loads), limits);
        moved = matching.isPresent();
        best = matching.orElse(best);
      }
    }
    return best;
  }

  /** The matching of some replicas if it is as large as another one. */
  private static Optional<FlowMatching> asLarge(
      FlowMatching other, Topology topology, List<int[]> replicas, StripeLimits limits) {
    if (other.isFull() && replicas.stream().anyMatch(nodes -> nodes.length == 0)) {
      return Optional.empty(); // one that keeps no replica is one too many
    }
    FlowMatching matching = limits.matching(topology, replicas);
    return matching.size() == other.size() ? Optional.of(matching) : Optional.empty();
  }

  /** The replicas of each block on nodes up to a load. */
  private static List<int[]> below(
      long[] most, List<Integer> order, List<int[]> present, NodeLoads loads) {
    List<int[]> below = new ArrayList<>();
    for (int i = 0; i < most.length; i++) {
      long limit = most[i];
      int block = order.get(i);
      int[] nodes = present.get(i).clone();
      int count = 0;
      for (int node : nodes) {
        if (loads.ofData(block, node) <= limit) {
          nodes[count++] = node;
        }
      }
      below.add(Arrays.copyOf(nodes, count));
    }
    return below;
  }

  private static List<Integer> shuffled(IntStream numbers, RandomGenerator random) {
    List<Integer> list = new ArrayList<>(numbers.boxed().toList());
    RandomChoice.shuffle(list, random);
    return list;
  }
}
