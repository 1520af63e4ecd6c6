package org.braid.code.lrc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.code.LocalGroup;
import org.braid.code.Promise;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MaximallyRecoverableLossesTest {
  private static Promise promise(int k, int l, int g) {
    return new LocalReconstruction(new LrcSettings(k, l, g)).promises().get(0);
  }

  private static Set<List<Integer>> all(Promise promise) {
    Set<List<Integer>> seen = new HashSet<>();
    promise.each(
        lost -> {
          assertTrue(seen.add(lost), () -> "twice: " + lost);
          return true;
        });
    return seen;
  }

  /** Tried on all subsets, by the definition: one loss in each group, and g more. */
  private static Set<List<Integer>> expected(int k, int l, int g) {
    LocalReconstruction code = new LocalReconstruction(new LrcSettings(k, l, g));
    Set<List<Integer>> out = new HashSet<>();
    for (int bits = 0; bits < 1 << code.n(); bits++) {
      List<Integer> lost = BitSet.valueOf(new long[] {bits}).stream().boxed().toList();
      if (lost.size() == l + g
          && code.groups().stream().allMatch(a -> lost.stream().anyMatch(a.blocks()::contains))) {
        out.add(lost);
      }
    }
    return out;
  }

  @ParameterizedTest
  @CsvSource({"1,1,1", "4,1,3", "2,2,2", "4,2,1", "6,2,2", "6,3,2", "4,4,3", "8,4,1", "6,2,4"})
  void visitsEachLargestPatternOnceAndCountsThem(int k, int l, int g) {
    Promise promise = promise(k, l, g);
    Set<List<Integer>> seen = all(promise);
    assertEquals(expected(k, l, g), seen);
    assertEquals(seen.size(), promise.patterns());
  }

  @Test
  void countsWhatNobodyWouldVisit() {
    // 6 of 30 blocks such that each of 4 groups of 7 loses one, by inclusion and exclusion:
    // C(30,6) - 4 C(23,6) + 6 C(16,6) - 4 C(9,6)
    assertEquals(593775 - 4 * 100947 + 6 * 8008 - 4 * 84, promise(24, 4, 2).patterns());
    assertEquals(Long.MAX_VALUE, promise(100, 100, 55).patterns());
  }

  @Test
  void stopsWhenTheVisitorSaysNo() {
    Promise promise = promise(6, 3, 2);
    for (int stop : new int[] {1, 2, 17, 100}) {
      int[] visits = new int[1];
      promise.each(lost -> ++visits[0] < stop);
      assertEquals(stop, visits[0]);
    }
  }

  @Test
  void samplesAreEquallyLikely() {
    var random = Seeds.random(getClass());
    Promise promise = promise(4, 2, 2);
    Set<List<Integer>> all = all(promise);
    Map<List<Integer>, Integer> seen = new HashMap<>();
    int each = 200;
    for (int i = 0; i < each * all.size(); i++) {
      seen.merge(promise.sample(random), 1, Integer::sum);
    }
    assertEquals(all, seen.keySet());
    // 7 standard deviations of 14: a fair sampler fails once in 10^10 runs
    seen.forEach((lost, times) -> assertTrue(Math.abs(times - each) < 100, lost + ": " + times));
  }

  @Test
  void samplesOfLongStripesHaveTheirShape() {
    var random = Seeds.random(getClass());
    LocalReconstruction code = new LocalReconstruction(new LrcSettings(100, 100, 55));
    List<Integer> lost = code.promises().get(0).sample(random);
    assertEquals(155, new HashSet<>(lost).size());
    for (LocalGroup group : code.groups()) {
      assertTrue(lost.stream().anyMatch(group.blocks()::contains), group::name);
    }
  }
}
