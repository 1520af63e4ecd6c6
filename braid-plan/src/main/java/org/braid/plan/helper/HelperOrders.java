package org.braid.plan.helper;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.braid.plan.cost.Network;

/**
 * Orders in which the blocks of a stripe are taken as helpers until they decode. Virtual blocks of
 * zeros come first, as they cost nothing; doubtful ones last.
 */
final class HelperOrders {
  private final List<Integer> readable;
  private final IntUnaryOperator nodeOfBlock;
  private final Map<Integer, Double> weights = new HashMap<>();
  private final Set<Integer> doubtful;
  private final Places racks;
  private final Places sites;

  /**
   * Orders of some blocks.
   *
   * @param readable positions of the blocks that may be read
   * @param nodeOfBlock the node that stores a block; negative for a virtual block of zeros
   * @param roots the nodes that the lost blocks are for
   */
  HelperOrders(
      List<Integer> readable,
      IntUnaryOperator nodeOfBlock,
      Set<Integer> roots,
      Network network,
      HelperPreference preference) {
    this.readable = readable;
    this.nodeOfBlock = nodeOfBlock;
    doubtful = preference.doubtful();
    for (int block : readable) {
      int node = nodeOfBlock.applyAsInt(block);
      if (node >= 0) {
        boolean nearest = preference.order() == HelperPreference.Order.NEAREST;
        weights.put(
            block, nearest ? -network.slowdown(node) : preference.weight().applyAsDouble(block));
      }
    }
    racks = new Places(network::rackOf, roots);
    sites = new Places(network::siteOf, roots);
  }

  /** The weight of a block; 0 for a virtual one. */
  double weight(int block) {
    return weights.getOrDefault(block, 0.0);
  }

  /** The orders to try, each once. */
  Set<List<Integer>> of(HelperPreference.Order order) {
    Comparator<Integer> near = racks.ofRoots().thenComparing(sites.ofRoots());
    Comparator<Integer> full = near.thenComparing(sites.fullest()).thenComparing(racks.fullest());
    Set<List<Integer>> orders = new LinkedHashSet<>();
    if (order != HelperPreference.Order.NEAREST) {
      orders.add(sorted(byWeight()));
    }
    if (order == HelperPreference.Order.NEAREST_OR_WEIGHT) {
      orders.add(sorted(near.thenComparing(byWeight())));
    }
    if (order != HelperPreference.Order.WEIGHT) {
      orders.add(sorted(full.thenComparing(byWeight())));
    }
    return orders;
  }

  /** The racks or the sites of the blocks. */
  private final class Places {
    private final Set<Integer> ofRoots = new HashSet<>();
    private final Map<Integer, Integer> placeOf = new HashMap<>();
    private final Map<Integer, Integer> sizes = new HashMap<>();
    private final Map<Integer, Double> sums = new HashMap<>();
    private final Map<Integer, Integer> first = new HashMap<>();

    Places(IntUnaryOperator placeOfNode, Set<Integer> roots) {
      roots.forEach(node -> ofRoots.add(placeOfNode.applyAsInt(node)));
      for (int block : readable) {
        int node = nodeOfBlock.applyAsInt(block);
        if (node >= 0) {
          int place = placeOfNode.applyAsInt(node);
          placeOf.put(block, place);
          sizes.merge(place, 1, Integer::sum);
          sums.merge(place, weight(block), Double::sum);
          first.merge(place, block, Math::min);
        }
      }
    }

    private int place(int block) {
      return placeOf.getOrDefault(block, Integer.MIN_VALUE);
    }

    /** Blocks at a root's place first. */
    Comparator<Integer> ofRoots() {
      return Comparator.comparing(block -> !ofRoots.contains(place(block)));
    }

    /** Place by place, those with most blocks first, of these the heaviest. */
    Comparator<Integer> fullest() {
      return Comparator.<Integer>comparingInt(block -> -sizes.getOrDefault(place(block), 0))
          .thenComparingDouble(block -> -sums.getOrDefault(place(block), 0.0))
          .thenComparingInt(block -> first.getOrDefault(place(block), 0));
    }
  }

  private Comparator<Integer> byWeight() {
    return Comparator.<Integer>comparingDouble(block -> -weight(block))
        .thenComparingInt(block -> block);
  }

  private List<Integer> sorted(Comparator<Integer> order) {
    return readable.stream()
        .sorted(
            Comparator.comparing((Integer block) -> nodeOfBlock.applyAsInt(block) >= 0)
                .thenComparing(doubtful::contains)
                .thenComparing(order))
        .toList();
  }
}
