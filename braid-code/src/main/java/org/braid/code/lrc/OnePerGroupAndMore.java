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
 * Each local group loses what its own parity restores, one block, and any {@code more} blocks are
 * lost beyond these. The largest patterns are the sets of (groups + more) blocks that meet every
 * group: a group without a loss, or fewer losses, would leave room for one more.
 *
 * @param text what is claimed
 * @param groups the local groups, which share no block
 * @param rest the blocks of no group, ascending, at least {@code more}
 * @param more losses beyond one of each group
 */
record OnePerGroupAndMore(String text, List<LocalGroup> groups, List<Integer> rest, int more)
    implements Promise {
  OnePerGroupAndMore {
    groups = List.copyOf(groups);
    rest = List.copyOf(rest);
  }

  private int losses() {
    return groups.size() + more;
  }

  /** The most that a group can lose of so many losses, as the groups behind it lose one each. */
  private int most(int group, int losses) {
    int others = groups.size() - 1 - group;
    return Math.min(groups.get(group).blocks().size(), losses - others);
  }

  /**
   * Ways to spread losses over the groups from one on and over the rest.
   *
   * @return by the first of the groups and the number of losses
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

  /** How many losses a group takes, as often as there are patterns in which it does. */
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
