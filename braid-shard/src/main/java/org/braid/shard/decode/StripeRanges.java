package org.braid.shard.decode;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A set of stripe numbers, stored as ranges. */
final class StripeRanges {
  private static final int SHOWN = 8;

  private final TreeMap<Long, Long> lastByFirst = new TreeMap<>();

  void add(long number) {
    Map.Entry<Long, Long> before = lastByFirst.floorEntry(number);
    if (before != null && number <= before.getValue()) {
      return;
    }
    long first = before != null && before.getValue() == number - 1 ? before.getKey() : number;
    Long joined = lastByFirst.remove(number + 1);
    lastByFirst.put(first, joined == null ? number : joined);
  }

  boolean isEmpty() {
    return lastByFirst.isEmpty();
  }

  /** For example {@code 3, 7-9}; only the first ranges when there are many. */
  @Override
  public String toString() {
    String shown =
        lastByFirst.entrySet().stream()
            .limit(SHOWN)
            .map(
                e ->
                    e.getKey().equals(e.getValue())
                        ? e.getKey().toString()
                        : e.getKey() + "-" + e.getValue())
            .collect(Collectors.joining(", "));
    return lastByFirst.size() > SHOWN
        ? shown + " and " + (lastByFirst.size() - SHOWN) + " more ranges"
        : shown;
  }
}
