package org.braid.placement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
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
    Candidates candidates = new Candidates(topology, eligible);
    limits.requireRoom("the layout", replicas.size() + parities, candidates);
    int[] dataNodes = kept(candidates, replicas, limits, random);
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
      int near = fill.takeNear(replicas.get(block));
      dataNodes[block] = near == Candidates.NONE ? fill.takeLeast() : near;
    }
    int[] parityNodes = IntStream.range(0, parities).map(parity -> fill.takeLeast()).toArray();
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
      Candidates candidates, List<int[]> replicas, StripeLimits limits, RandomGenerator random) {
    // The flow prefers early blocks and early replicas, which must not load some nodes more.
    List<Integer> order = shuffled(IntStream.range(0, replicas.size()), random);
    List<int[]> present = new ArrayList<>();
    for (int block : order) {
      present.add(
          shuffled(IntStream.of(replicas.get(block)).filter(candidates::contains), random).stream()
              .mapToInt(node -> node)
              .toArray());
    }
    Matching matching = Matching.of(candidates.topology(), present, limits);
    int[] kept = new int[replicas.size()];
    for (int i = 0; i < kept.length; i++) {
      kept[order.get(i)] = matching.nodeOf(i);
    }
    return kept;
  }

  private static List<Integer> shuffled(IntStream numbers, RandomGenerator random) {
    List<Integer> list = new ArrayList<>(numbers.boxed().toList());
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, random.nextInt(i + 1));
    }
    return list;
  }
}
