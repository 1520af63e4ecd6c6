package org.braid.code;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The promises that several families make. */
public final class Promises {
  private Promises() {}

  /** Survival of any t of n lost blocks. */
  public static Promise any(int n, int t) {
    Combinations patterns = new Combinations(n, t);
    String text = t == 1 ? "any 1 block" : "any " + t + " blocks";
    return new AnyBlocks(text, patterns);
  }

  /** Repair of each local group's losses from that group alone. */
  public static Promise withinGroups(String text, List<LocalGroup> groups) {
    return new WithinGroups(text, List.copyOf(groups));
  }

  private record AnyBlocks(String text, Combinations subsets) implements Promise {
    @Override
    public int anyBlocks() {
      return subsets.t();
    }

    @Override
    public long patterns() {
      return subsets.count();
    }

    @Override
    public void each(Predicate<List<Integer>> visitor) {
      subsets.each(visitor);
    }

    @Override
    public List<Integer> sample(RandomGenerator random) {
      return subsets.sample(random);
    }
  }

  private record WithinGroups(String text, List<LocalGroup> groups) implements Promise {
    @Override
    public long patterns() {
      long sum = 0;
      for (LocalGroup group : groups) {
        long count = subsets(group).count();
        sum = Long.MAX_VALUE - sum < count ? Long.MAX_VALUE : sum + count;
      }
      return sum;
    }

    private static Combinations subsets(LocalGroup group) {
      return new Combinations(group.blocks().size(), group.losses());
    }

    private static List<Integer> blocks(LocalGroup group, List<Integer> places) {
      return places.stream().map(group.blocks()::get).toList();
    }

    @Override
    public void each(Predicate<List<Integer>> visitor) {
      boolean[] stopped = new boolean[1];
      for (LocalGroup group : groups) {
        subsets(group)
            .each(
                places -> {
                  stopped[0] = !visitor.test(blocks(group, places));
                  return !stopped[0];
                });
        if (stopped[0]) {
          return;
        }
      }
    }

    @Override
    public List<Integer> sample(RandomGenerator random) {
      double total = groups.stream().mapToDouble(g -> subsets(g).count()).sum();
      double at = random.nextDouble() * total;
      for (LocalGroup group : groups) {
        at -= subsets(group).count();
        if (at < 0) {
          return blocks(group, subsets(group).sample(random));
        }
      }
      LocalGroup last = groups.get(groups.size() - 1);
      return blocks(last, subsets(last).sample(random));
    }

    @Override
    public boolean holds(ErasureCode code, List<Integer> lost) {
      // Groups may share blocks: one group that contains and repairs the pattern suffices.
      return groups.stream()
          .filter(g -> g.blocks().containsAll(lost) && lost.size() <= g.losses())
          .anyMatch(g -> Solver.solve(code, lost, g.without(lost)).isPresent());
    }
  }

  /** All subsets of 0..n-1 with t members. */
  public record Combinations(int n, int t) {
    public Combinations {
      if (t < 0 || t > n) {
        throw new IllegalArgumentException("there are no subsets of " + t + " of " + n);
      }
    }

    /** The binomial coefficient; {@link Long#MAX_VALUE} when it does not fit. */
    public long count() {
      long count = 1;
      for (int i = 1; i <= Math.min(t, n - t); i++) {
        long factor = n - i + 1L;
        if (count > Long.MAX_VALUE / factor) {
          return Long.MAX_VALUE;
        }
        count = count * factor / i;
      }
      return count;
    }

    /** Visits all subsets in lexical order until the visitor returns false. */
    public void each(Predicate<List<Integer>> visitor) {
      int[] chosen = IntStream.range(0, t).toArray();
      while (visitor.test(IntStream.of(chosen).boxed().toList())) {
        int i = t - 1;
        while (i >= 0 && chosen[i] == n - t + i) {
          i--;
        }
        if (i < 0) {
          return;
        }
        chosen[i]++;
        for (int j = i + 1; j < t; j++) {
          chosen[j] = chosen[j - 1] + 1;
        }
      }
    }

    /** A random subset, all equally likely. */
    public List<Integer> sample(RandomGenerator random) {
      List<Integer> chosen = new ArrayList<>(t);
      for (int i = 0; i < n && chosen.size() < t; i++) {
        if (random.nextInt(n - i) < t - chosen.size()) {
          chosen.add(i);
        }
      }
      return List.copyOf(chosen);
    }
  }
}
