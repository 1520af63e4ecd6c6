package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class RackLossesTest {
  /** Racks of consecutive blocks. */
  private static RackLosses losses(int rows, Integer... losses) {
    List<List<Integer>> racks =
        IntStream.range(0, losses.length)
            .mapToObj(i -> IntStream.range(i * rows, (i + 1) * rows).boxed().toList())
            .toList();
    return new RackLosses("losses", racks, Arrays.asList(losses));
  }

  private static List<List<Integer>> all(RackLosses promise) {
    List<List<Integer>> all = new ArrayList<>();
    promise.each(all::add);
    return all;
  }

  /** Subsets of 4 racks of 3 whose losses are the ones named, found by looking at all subsets. */
  private static Set<List<Integer>> byForce(Integer... losses) {
    List<Integer> wanted = Arrays.stream(losses).sorted().toList();
    Set<List<Integer>> found = new HashSet<>();
    for (long bits = 0; bits < 1 << 12; bits++) {
      List<Integer> subset = BitSet.valueOf(new long[] {bits}).stream().boxed().toList();
      List<Integer> counts =
          IntStream.range(0, 4)
              .mapToObj(i -> (int) subset.stream().filter(b -> b / 3 == i).count())
              .sorted()
              .toList();
      if (counts.equals(wanted)) {
        found.add(subset);
      }
    }
    return found;
  }

  @Test
  void everyPatternIsVisitedOnce() {
    Integer[][] cases = {{3, 2, 1, 0}, {3, 1, 1, 1}, {0, 0, 2, 2}, {3, 3, 0, 0}, {1, 2, 1, 2}};
    for (Integer[] losses : cases) {
      List<List<Integer>> visited = all(losses(3, losses));
      assertEquals(visited.size(), losses(3, losses).patterns());
      assertEquals(visited.size(), new HashSet<>(visited).size());
      assertEquals(byForce(losses), new HashSet<>(visited));
    }
  }

  @Test
  void theVisitEndsWhenTheVisitorSaysNo() {
    int[] count = new int[1];
    losses(3, 2, 1, 1, 0).each(lost -> ++count[0] < 50);
    assertEquals(50, count[0]);
  }

  @Test
  void whatIsTooManyToCountIsTheMost() {
    assertEquals(Long.MAX_VALUE, losses(8, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4).patterns());
    assertEquals(Long.MAX_VALUE, losses(200, 100, 0).patterns());
    assertEquals(70L * 70 * 6, losses(8, 4, 4, 0, 0).patterns());
  }

  @Test
  void samplesAreEquallyLikely() {
    Random random = Seeds.random(RackLossesTest.class);
    RackLosses promise = losses(3, 2, 1, 0);
    Map<List<Integer>, Integer> seen = new HashMap<>();
    int patterns = Math.toIntExact(promise.patterns());
    for (int i = 0; i < 1000 * patterns; i++) {
      seen.merge(promise.sample(random), 1, Integer::sum);
    }
    assertEquals(new HashSet<>(all(promise)), seen.keySet());
    // the deviation is about 32, so this is beyond chance
    assertTrue(seen.values().stream().allMatch(c -> c > 750 && c < 1250), seen::toString);
  }
}
