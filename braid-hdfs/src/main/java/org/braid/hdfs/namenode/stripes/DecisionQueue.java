package org.braid.hdfs.namenode.stripes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Blocks that wait for a decision, in the order in which they were offered; one that could not be
 * decided waits longer each time. Not thread-safe.
 */
final class DecisionQueue {
  static final long FIRST_PAUSE_MILLIS = 1000;
  static final long LAST_PAUSE_MILLIS = 60_000;

  /** When a block that could not be decided is looked at again. */
  private record Retry(long at, long pause) {}

  private final Set<Long> waiting = new LinkedHashSet<>();
  private final Map<Long, Retry> retries = new HashMap<>();

  void offer(Collection<Long> ids) {
    waiting.addAll(ids);
  }

  /** Offers all blocks that need a decision; what is not among them needs none any more. */
  void scanned(Set<Long> found) {
    retries.keySet().retainAll(found);
    offer(found);
  }

  /** Lets in the blocks whose pause is over, and puts off those whose pause is not. */
  void advance(long now) {
    retries.forEach(
        (id, retry) -> {
          if (retry.at <= now) {
            waiting.add(id);
          } else {
            waiting.remove(id);
          }
        });
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  boolean all(LongPredicate condition) {
    return waiting.stream().allMatch(condition::test);
  }

  /** Takes the next blocks that meet a condition. */
  List<Long> take(int limit, LongPredicate condition) {
    List<Long> taken = new ArrayList<>();
    for (Iterator<Long> i = waiting.iterator(); i.hasNext() && taken.size() < limit; ) {
      long id = i.next();
      if (condition.test(id)) {
        taken.add(id);
        i.remove();
      }
    }
    return taken;
  }

  void settled(long id) {
    retries.remove(id);
  }

  void undecided(long id, long now) {
    Retry before = retries.get(id);
    long pause =
        before == null ? FIRST_PAUSE_MILLIS : Math.min(LAST_PAUSE_MILLIS, 2 * before.pause);
    retries.put(id, new Retry(now + pause, pause));
  }

  void clear() {
    waiting.clear();
    retries.clear();
  }
}
