package org.braid.plan.helper;

import java.util.Set;
import java.util.function.IntToDoubleFunction;

/**
 * Which helpers a repair prefers among those that cross as few sites and racks.
 *
 * @param order how blocks are ordered before they are taken as helpers
 * @param weight by block, the weight of its node as a source; the highest is the best. Without
 *     meaning for {@link Order#NEAREST}
 * @param doubtful blocks that are read only when the others do not determine what is lost
 */
public record HelperPreference(Order order, IntToDoubleFunction weight, Set<Integer> doubtful) {
  /** How blocks are ordered before they are taken as helpers. */
  public enum Order {
    /** Near the roots first, then place by place, the fullest place first. */
    NEAREST,
    /** By weight, whatever the distance. */
    WEIGHT,
    /** Both, and near the roots by weight; the order that crosses least counts. */
    NEAREST_OR_WEIGHT
  }

  public HelperPreference {
    doubtful = Set.copyOf(doubtful);
  }

  /** Prefers the nearest helpers. */
  public static HelperPreference nearest() {
    return new HelperPreference(Order.NEAREST, block -> 0, Set.of());
  }

  /** Prefers the heaviest helpers, whatever their distance, where the code leaves a choice. */
  public static HelperPreference byWeight(IntToDoubleFunction weight) {
    return new HelperPreference(Order.WEIGHT, weight, Set.of());
  }

  /** Prefers, of the helpers that cross least, the heaviest. */
  public static HelperPreference nearestByWeight(IntToDoubleFunction weight) {
    return new HelperPreference(Order.NEAREST_OR_WEIGHT, weight, Set.of());
  }

  /** The same preference, with blocks that are better not read. */
  public HelperPreference avoiding(Set<Integer> blocks) {
    return new HelperPreference(order, weight, blocks);
  }
}
