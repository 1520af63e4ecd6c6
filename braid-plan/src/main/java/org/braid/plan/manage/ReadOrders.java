package org.braid.plan.manage;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.braid.plan.Network;

/**
 * Orders in which the blocks of a stripe are taken as helpers until they decode. Virtual blocks
 * come first, as they cost nothing; doubtful ones last.
 */
final class ReadOrders {
  private final LostStripe stripe;
  private final List<Integer> alive;
  private final double[] weightOf;

  /**
   * Orders of some blocks.
   *
   * @param alive those that may be read
   * @param weightOf by block; the higher, the rather it is read
   */
  ReadOrders(LostStripe stripe, List<Integer> alive, double[] weightOf) {
    this.stripe = stripe;
    this.alive = alive;
    this.weightOf = weightOf;
  }

  /** By weight. */
  List<Integer> byWeight() {
    return sorted(weight());
  }

  /**
   * By weight; those near the destinations first; and these site by site and rack by rack, the
   * fullest first.
   *
   * @param destinations nodes that the lost blocks go to
   * @return each order once
   */
  Set<List<Integer>> near(Set<Integer> destinations, Network network) {
    Places racks = new Places(network::rackOf, destinations);
    Places sites = new Places(network::siteOf, destinations);
    Comparator<Integer> near = racks.roots().thenComparing(sites.roots());
    Comparator<Integer> together =
        near.thenComparing(sites.fullest()).thenComparing(racks.fullest());
    Set<List<Integer>> orders = new LinkedHashSet<>();
    orders.add(byWeight());
    orders.add(sorted(near.thenComparing(weight())));
    orders.add(sorted(together.thenComparing(weight())));
    return orders;
  }

  /** The racks or the sites of blocks. */
  private final class Places {
    private final Set<Integer> roots = new HashSet<>();
    private final int[] placeOf = new int[weightOf.length];
    private final Map<Integer, Integer> sizes = new HashMap<>();
    private final Map<Integer, Double> weights = new HashMap<>();
    private final Map<Integer, Integer> first = new HashMap<>();

    Places(IntUnaryOperator placeOfNode, Set<Integer> destinations) {
      destinations.forEach(node -> roots.add(placeOfNode.applyAsInt(node)));
      for (int block : alive) {
        int node = stripe.nodeOf()[block];
        if (node >= 0) {
          int place = placeOfNode.applyAsInt(node);
          placeOf[block] = place;
          sizes.merge(place, 1, Integer::sum);
          weights.merge(place, weightOf[block], Double::sum);
          first.merge(place, block, Math::min);
        }
      }
    }

    Comparator<Integer> roots() {
      return Comparator.comparing(block -> !roots.contains(placeOf[block]));
    }

    Comparator<Integer> fullest() {
      return Comparator.<Integer>comparingInt(block -> -sizes.getOrDefault(placeOf[block], 0))
          .thenComparingDouble(block -> -weights.getOrDefault(placeOf[block], 0.0))
          .thenComparingInt(block -> first.getOrDefault(placeOf[block], 0));
    }
  }

  private Comparator<Integer> weight() {
    return Comparator.<Integer>comparingDouble(block -> -weightOf[block])
        .thenComparingInt(block -> block);
  }

  private List<Integer> sorted(Comparator<Integer> order) {
    return alive.stream()
        .sorted(
            Comparator.comparingInt((Integer block) -> stripe.nodeOf()[block] < 0 ? 0 : 1)
                .thenComparing(block -> stripe.notes().doubtful().contains(block))
                .thenComparing(order))
        .toList();
  }
}
