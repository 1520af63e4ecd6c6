package org.braid.hdfs.stripe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.braid.hdfs.stripe.StripeSums.Range;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class StripeSumsTest {
  private final Random random = Seeds.random(StripeSumsTest.class);

  private Map<String, Long> stripes(int count) {
    Map<String, Long> stripes = new TreeMap<>();
    while (stripes.size() < count) {
      stripes.put(
          "%016x%016x".formatted(random.nextLong(), random.nextLong()),
          (long) random.nextInt(Integer.MAX_VALUE));
    }
    return stripes;
  }

  private static StripeSums sums(Map<String, Long> stripes) {
    StripeSums sums = new StripeSums();
    stripes.forEach(sums::add);
    return sums;
  }

  private static boolean covers(List<Range> ranges, String id) {
    return ranges.stream()
        .anyMatch(
            range -> {
              String before = range.before();
              return id.compareTo(range.after()) > 0
                  && (before == null || id.compareTo(before) < 0);
            });
  }

  @Test
  void whatIsMissingOrThereTwiceIsInTheDifferences() {
    for (int round = 0; round < 50; round++) {
      Map<String, Long> all = stripes(1 + random.nextInt(2000));
      Map<String, Long> some = new TreeMap<>(all);
      List<String> ids = new ArrayList<>(all.keySet());
      List<String> changed = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        changed.add(ids.get(random.nextInt(ids.size())));
        some.remove(changed.get(changed.size() - 1));
      }
      String twice = ids.get(random.nextInt(ids.size()));
      StripeSums read = sums(some);
      if (some.containsKey(twice) && random.nextBoolean()) {
        read.add(twice, all.get(twice));
        changed.add(twice);
      }
      List<Range> ranges = sums(all).differences(read);
      changed.forEach(id -> assertTrue(covers(ranges, id), id));
      assertTrue(ranges.size() <= changed.size(), ranges.toString());
      long within = ids.stream().filter(id -> covers(ranges, id)).count();
      assertTrue(within <= changed.size() * 10L, within + " of " + ids.size());
    }
  }

  @Test
  void partsAddUpInWhateverOrder() {
    Map<String, Long> all = stripes(5000);
    StripeSums one = new StripeSums();
    StripeSums other = new StripeSums();
    all.forEach((id, inode) -> (random.nextBoolean() ? one : other).add(id, inode));
    StripeSums added = new StripeSums();
    added.add(other.toProto());
    added.add(one.toProto());
    assertEquals(List.of(), sums(all).differences(added));
    assertFalse(sums(all).differences(new StripeSums()).isEmpty());
  }

  @Test
  void rangesEndWhereTheIdsEnd() {
    StripeSums first = new StripeSums();
    first.add("000" + "0".repeat(29), 1);
    assertEquals(List.of(new Range("", "001")), first.differences(new StripeSums()));
    StripeSums last = new StripeSums();
    last.add("fff" + "0".repeat(29), 1);
    assertEquals(List.of(new Range("fff", null)), last.differences(new StripeSums()));
    first.add("001" + "0".repeat(29), 0);
    assertEquals(List.of(new Range("", "002")), first.differences(new StripeSums()));
  }

  @Test
  void afterAnotherNameNothingIsEqual() {
    StripeSums odd = new StripeSums();
    odd.add("Readme", 5);
    assertEquals(List.of(new Range("", null)), odd.differences(new StripeSums()));
  }
}
