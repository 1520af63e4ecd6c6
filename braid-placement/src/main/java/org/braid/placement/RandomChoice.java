package org.braid.placement;

import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/** Random orders, and random choices among candidates. */
public final class RandomChoice {
  private RandomChoice() {}

  /** Puts a list into a random order, each with the same probability. */
  public static void shuffle(List<?> list, RandomGenerator random) {
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, random.nextInt(i + 1));
    }
  }

  /**
   * A candidate that passes a test, each with the same probability; {@link EligibleNodes#NONE} when
   * none does.
   */
  public static int pick(int[] candidates, IntPredicate passes, RandomGenerator random) {
    int[] passing = new int[candidates.length];
    int count = 0;
    for (int candidate : candidates) {
      if (passes.test(candidate)) {
        passing[count++] = candidate;
      }
    }
    return count == 0 ? EligibleNodes.NONE : passing[random.nextInt(count)];
  }
}
