package org.braid.code;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.braid.code.Promises.Combinations;

/**
 * Survival of given numbers of losses in the racks, for any assignment of the numbers to racks and
 * any blocks of a rack.
 *
 * @param text the promise in words
 * @param racks the blocks of each rack, the same number in each
 * @param losses one number of lost blocks for each rack, ascending
 */
public record RackLosses(String text, List<List<Integer>> racks, List<Integer> losses)
    implements Promise {
  public RackLosses {
    racks = List.copyOf(racks);
    losses = losses.stream().sorted().toList();
  }

  private Combinations choices(int rack, int lost) {
    return new Combinations(racks.get(rack).size(), lost);
  }

  /** Arrangements of the losses over the racks, times the choices in each rack. */
  @Override
  public long patterns() {
    BigInteger count = BigInteger.ONE;
    Map<Integer, Integer> seen = new HashMap<>();
    for (int rack = 0; rack < racks.size(); rack++) {
      int lost = losses.get(rack);
      long choices = choices(rack, lost).count();
      if (choices == Long.MAX_VALUE) {
        return choices;
      }
      count =
          count
              .multiply(BigInteger.valueOf(rack + 1L))
              .divide(BigInteger.valueOf(seen.merge(lost, 1, Integer::sum)))
              .multiply(BigInteger.valueOf(choices));
    }
    return count.bitLength() > 63 ? Long.MAX_VALUE : count.longValue();
  }

  @Override
  public void each(Predicate<List<Integer>> visitor) {
    List<Integer> order = new ArrayList<>(losses);
    do {
      if (!visit(order, new ArrayList<>(), 0, visitor)) {
        return;
      }
    } while (advance(order));
  }

  /** Visits all choices in a rack and those after it; returns false when the visitor did. */
  private boolean visit(
      List<Integer> order, List<Integer> chosen, int rack, Predicate<List<Integer>> visitor) {
    if (rack == racks.size()) {
      return visitor.test(chosen.stream().sorted().toList());
    }
    boolean[] goOn = {true};
    choices(rack, order.get(rack))
        .each(
            places -> {
              places.forEach(p -> chosen.add(racks.get(rack).get(p)));
              goOn[0] = visit(order, chosen, rack + 1, visitor);
              chosen.subList(chosen.size() - places.size(), chosen.size()).clear();
              return goOn[0];
            });
    return goOn[0];
  }

  /** Advances to the next permutation in lexical order; returns false after the last. */
  private static boolean advance(List<Integer> order) {
    int i = order.size() - 2;
    while (i >= 0 && order.get(i) >= order.get(i + 1)) {
      i--;
    }
    if (i < 0) {
      return false;
    }
    int j = order.size() - 1;
    while (order.get(j) <= order.get(i)) {
      j--;
    }
    Collections.swap(order, i, j);
    Collections.reverse(order.subList(i + 1, order.size()));
    return true;
  }

  @Override
  public List<Integer> sample(RandomGenerator random) {
    List<Integer> order = new ArrayList<>(losses);
    for (int i = order.size() - 1; i > 0; i--) {
      Collections.swap(order, i, random.nextInt(i + 1));
    }
    List<Integer> lost = new ArrayList<>();
    for (int rack = 0; rack < racks.size(); rack++) {
      for (int place : choices(rack, order.get(rack)).sample(random)) {
        lost.add(racks.get(rack).get(place));
      }
    }
    return lost.stream().sorted().toList();
  }
}
