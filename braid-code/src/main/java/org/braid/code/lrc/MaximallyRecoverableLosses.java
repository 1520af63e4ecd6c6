package org.braid.code.lrc;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.braid.code.LocalGroup;
import org.braid.code.Promise;
import org.braid.code.Promises;

/**
 * The losses that a maximally recoverable code survives: one block of each local group, which the
 * group's parity repairs, and any {@code more} blocks. The maximal patterns are the sets of (groups
 * + more) blocks with at least one block of every group.
 *
 * @param text the promise in words
 * @param groups the local groups, which are disjoint
 * @param rest the blocks outside all groups, ascending, at least {@code more}
 * @param more number of losses beyond one in each group
 */
record MaximallyRecoverableLosses(
    String text, List<LocalGroup> groups, List<Integer> rest, int more) implements Promise {
  MaximallyRecoverableLosses {
    groups = List.copyOf(groups);
    rest = List.copyOf(rest);
  }

  private int losses() {
    return groups.size() + more;
  }

  /** The most losses of a group when it and all later groups share a number of losses. */
  private int most(int group, int losses) {
    int others = groups.size() - 1 - group;
    return Math.min(groups.get(group).blocks().size(), losses - others);
  }

  /**
   * The numbers of ways to distribute losses over a group, all later groups and the rest.
   *
   * @return the counts by group and number of losses
   */
  private BigInteger[][] ways() {
    BigInteger[][] ways = new BigInteger[groups.size() + 1][losses() + 1];
    for (int losses = 0; losses <= losses(); losses++) {
      ways[groups.size()][losses] = choose(rest.size(), losses);
    }
    for (int group = groups.size() - 1; group >= 0; group--) {
      int size = groups.get(group).blocks().size();
      for (int losses = 0; losses <= losses(); losses++) {
        BigInteger sum = BigInteger.ZERO;
        for (int own = 1; own <= most(group, losses); own++) {
          sum = sum.add(choose(size, own).multiply(ways[group + 1][losses - own]));
        }
        ways[group][losses] = sum;
      }
    }
    return ways;
  }

  private static BigInteger choose(int n, int t) {
    BigInteger count = t > n ? BigInteger.ZERO : BigInteger.ONE;
    for (int i = 1; i <= Math.min(t, n - t); i++) {
      count = count.multiply(BigInteger.valueOf(n - i + 1L)).divide(BigInteger.valueOf(i));
    }
    return count;
  }

  @Override
  public long patterns() {
    BigInteger count = ways()[0][losses()];
    return count.bitLength() < Long.SIZE ? count.longValue() : Long.MAX_VALUE;
  }

  @Override
  public void each(Predicate<List<Integer>> visitor) {
    each(0, losses(), List.of(), visitor);
  }

  private boolean each(
      int group, int losses, List<Integer> before, Predicate<List<Integer>> visitor) {
    boolean[] goOn = {true};
    if (group == groups.size()) {
      if (losses <= rest.size()) {
        new Promises.Combinations(rest.size(), losses)
            .each(places -> goOn[0] = visitor.test(sorted(with(before, rest, places))));
      }
      return goOn[0];
    }
    List<Integer> blocks = groups.get(group).blocks();
    for (int own = 1; own <= most(group, losses) && goOn[0]; own++) {
      int left = losses - own;
      new Promises.Combinations(blocks.size(), own)
          .each(places -> goOn[0] = each(group + 1, left, with(before, blocks, places), visitor));
    }
    return goOn[0];
  }

  @Override
  public List<Integer> sample(RandomGenerator random) {
    BigInteger[][] ways = ways();
    List<Integer> lost = List.of();
    int losses = losses();
    for (int group = 0; group < groups.size(); group++) {
      List<Integer> blocks = groups.get(group).blocks();
      int own = share(random, ways, group, losses);
      lost = with(lost, blocks, new Promises.Combinations(blocks.size(), own).sample(random));
      losses -= own;
    }
    lost = with(lost, rest, new Promises.Combinations(rest.size(), losses).sample(random));
    return sorted(lost);
  }

  /** A random number of losses of a group, weighted by the number of patterns with it. */
  private int share(RandomGenerator random, BigInteger[][] ways, int group, int losses) {
    int size = groups.get(group).blocks().size();
    double at = random.nextDouble();
    int last = 0;
    for (int own = 1; own <= most(group, losses); own++) {
      double part = choose(size, own).multiply(ways[group + 1][losses - own]).doubleValue();
      if (part > 0) {
        last = own;
        at -= part / ways[group][losses].doubleValue();
        if (at < 0) {
          break;
        }
      }
    }
    return last;
  }

  private static List<Integer> with(
      List<Integer> before, List<Integer> blocks, List<Integer> places) {
    List<Integer> all = new ArrayList<>(before);
    places.forEach(p -> all.add(blocks.get(p)));
    return all;
  }

  private static List<Integer> sorted(List<Integer> blocks) {
    return blocks.stream().sorted().toList();
  }
}
