package org.braid.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;

/**
 * Where the blocks of a stripe are after encoding: which replica of each data block stays, which
 * blocks must move, and where the parities go (EAR section 3.2).
 */
public final class StripePlacement {
  private StripePlacement() {}

  /**
   * The places of all blocks of a stripe.
   *
   * @param dataNodes node of each data block
   * @param relocated data blocks of which no replica can stay, ascending
   * @param parityNodes node of each parity
   */
  @SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
  public record StripeLayout(int[] dataNodes, List<Integer> relocated, int[] parityNodes) {
    /** Copies the list. */
    public StripeLayout {
      relocated = List.copyOf(relocated);
    }
  }

  /**
   * Lays out a stripe with the fewest relocations that the limits allow.
   *
   * <p>The replicas that stay are a {@link Matching} of the eligible ones. It has the most blocks
   * of all that can stay, and whatever stays, the other blocks always find places if the stripe
   * fits at all; so no other layout relocates less. A relocated block prefers a rack that has a
   * replica of it, a parity a rack with few blocks of the stripe; ties are random.
   *
   * @param eligible nodes that may hold a block; replicas elsewhere are not kept
   * @param replicas for each data block the nodes with a good replica
   * @param parities number of parities
   * @throws PlacementException when no n nodes within the limits exist
   */
  public static StripeLayout layout(
      Topology topology,
      IntPredicate eligible,
      List<int[]> replicas,
      int parities,
      StripeLimits limits,
      RandomGenerator random) {
    return layout(topology, eligible, replicas, parities, limits, NodeLoads.NONE, random);
  }

  /**
   * Lays out a stripe as above, and of all such layouts one that loads nodes evenly: of the choices
   * of replicas with fewest relocations one in which the highest load of a node that keeps a data
   * block is as low as it can be. Stripe after stripe this bounds what readers of a file, or of
   * many, ask of any node, which HDFS-EC (section 5) leaves to future work; {@link
   * org.braid.placement.balance.BalancedPlacement} is the bound for blocks that may go anywhere.
   *
   * @param loads what nodes serve and store before this stripe; others may change it meanwhile
   */
  public static StripeLayout layout(
      Topology topology,
      IntPredicate eligible,
      List<int[]> replicas,
      int parities,
      StripeLimits limits,
      NodeLoads loads,
      RandomGenerator random) {
    return layoutOnce(topology, eligible, replicas, parities, limits, ReadOnce.of(loads), random);
  }

  private static StripeLayout layoutOnce(
      Topology topology,
      IntPredicate eligible,
      List<int[]> replicas,
      int parities,
      StripeLimits limits,
      NodeLoads loads,
      RandomGenerator random) {
    Candidates candidates = new Candidates(topology, eligible);
    limits.requireRoom("the layout", replicas.size() + parities, candidates);
    int[] dataNodes = kept(candidates, replicas, limits, loads, random);
    StripeFill fill = new StripeFill(candidates, limits, random);
    List<Integer> relocated = new ArrayList<>();
    for (int block = 0; block < dataNodes.length; block++) {
      if (dataNodes[block] == Candidates.NONE) {
        relocated.add(block);
      } else {
        fill.take(dataNodes[block]);
      }
    }
    for (int block : relocated) {
      IntToLongFunction load = node -> loads.ofData(block, node);
      int near = fill.takeNear(replicas.get(block), load);
      dataNodes[block] = near == Candidates.NONE ? fill.takeLeast(load) : near;
    }
    int[] parityNodes =
        IntStream.range(0, parities).map(parity -> fill.takeLeast(loads::ofParity)).toArray();
    return new StripeLayout(dataNodes, relocated, parityNodes);
  }

  static void requireData(ErasureCode code, List<int[]> replicas) {
    if (replicas.isEmpty() || replicas.size() > code.k()) {
      throw new IllegalArgumentException(
          "replicas of %d data blocks for %s, needed are 1 to %d"
              .formatted(replicas.size(), code.name(), code.k()));
    }
  }

  /** The node that keeps each block, -1 for none; which of equally good replicas is random. */
  private static int[] kept(
      Candidates candidates,
      List<int[]> replicas,
      StripeLimits limits,
      NodeLoads loads,
      RandomGenerator random) {
    // The flow prefers early blocks and early replicas, which must not load some nodes more.
    List<Integer> order = shuffled(IntStream.range(0, replicas.size()), random);
    List<int[]> present = new ArrayList<>();
    for (int block : order) {
      present.add(
          shuffled(IntStream.of(replicas.get(block)).filter(candidates::contains), random).stream()
              .sorted(Comparator.comparingLong(node -> loads.ofData(block, node)))
              .mapToInt(node -> node)
              .toArray());
    }
    Matching matching = lowest(candidates.topology(), order, present, limits, loads);
    int[] kept = new int[replicas.size()];
    for (int i = 0; i < kept.length; i++) {
      kept[order.get(i)] = matching.nodeOf(i);
    }
    return kept;
  }

  /**
   * Of the largest matchings one with the lowest highest load, in which no block could move to a
   * less loaded node while the others stay on such as loaded as theirs, or less.
   */
  private static Matching lowest(
      Topology topology,
      List<Integer> order,
      List<int[]> present,
      StripeLimits limits,
      NodeLoads loads) {
    Matching best = Matching.of(topology, present, limits);
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
      Matching matching = Matching.of(topology, below(most, order, present, loads), limits);
      if (matching.size() == best.size()) {
        best = matching;
        high = middle;
      } else {
        low = middle;
      }
    }
    return lighter(best, topology, order, present, limits, loads);
  }

  /** Moves one block after the other to less loaded nodes, as long as one can. */
  private static Matching lighter(
      Matching start,
      Topology topology,
      List<Integer> order,
      List<int[]> present,
      StripeLimits limits,
      NodeLoads loads) {
    Matching best = start;
    long[] most = new long[present.size()];
    for (int block = 0; block < most.length; block++) {
      boolean moved = true;
      while (moved) {
        for (int i = 0; i < most.length; i++) {
          int node = best.nodeOf(i);
          most[i] = node == Candidates.NONE ? Long.MAX_VALUE : loads.ofData(order.get(i), node);
        }
        most[block]--;
        Matching matching = Matching.of(topology, below(most, order, present, loads), limits);
        moved = best.nodeOf(block) != Candidates.NONE && matching.size() == best.size();
        best = moved ? matching : best;
      }
    }
    return best;
  }

  /** The replicas of each block on nodes with no more load than it may have. */
  private static List<int[]> below(
      long[] most, List<Integer> order, List<int[]> present, NodeLoads loads) {
    List<int[]> below = new ArrayList<>();
    for (int i = 0; i < most.length; i++) {
      long limit = most[i];
      int block = order.get(i);
      below.add(
          IntStream.of(present.get(i))
              .filter(node -> loads.ofData(block, node) <= limit)
              .toArray());
    }
    return below;
  }

  private static List<Integer> shuffled(IntStream numbers, RandomGenerator random) {
    List<Integer> list = new ArrayList<>(numbers.boxed().toList());
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, random.nextInt(i + 1));
    }
    return list;
  }
}
