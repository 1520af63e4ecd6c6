package org.braid.hdfs.namenode.stripes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that wait for a decision, in the order of their offers. A block that could not be decided
 * waits longer each time. Not thread-safe, except for {@link #lately}.
 */
final class DecisionQueue {
  static final long FIRST_PAUSE_MILLIS = 1000;
  static final long LAST_PAUSE_MILLIS = 60_000;

  /**
   * When a block that could not be decided is looked at again.
   *
   * @param replicas the good ones that it had, null when none were told
   */
  private record Retry(long at, long pause, @Nullable Set<String> replicas) {}

  private final Set<Long> waiting = new LinkedHashSet<>();
  private final Map<Long, Retry> retries = new HashMap<>();

  /** The good replicas of blocks that wait for a decision, as a pass saw them last. */
  private final Map<Long, Set<String>> replicas = new HashMap<>();

  /** Blocks that were offered since the last pass through all that may need a decision. */
  private final Set<Long> offered = new HashSet<>();

  /** The same, and those that were offered during that pass. */
  private final Set<Long> lately = ConcurrentHashMap.newKeySet();

  void offer(Collection<Long> ids) {
    waiting.addAll(ids);
    offered.addAll(ids);
    lately.addAll(ids);
  }

  /**
   * Offers the blocks that a pass has found, with the good replicas of each. An undecided block
   * whose replicas have changed need not wait any longer.
   */
  void offer(Map<Long, Set<String>> found) {
    offer(found.keySet());
    found.forEach(
        (id, good) -> {
          replicas.put(id, good);
          Retry retry = retries.get(id);
          if (retry != null && retry.replicas != null && !retry.replicas.equals(good)) {
            retries.remove(id);
          }
        });
  }

  /**
   * Ends a pass through all blocks that offered those that need a decision. A block that was not
   * offered since the previous pass no longer needs one.
   */
  void passed() {
    retries.keySet().retainAll(offered);
    replicas.keySet().retainAll(offered);
    lately.retainAll(offered);
    offered.clear();
  }

  /** Blocks that were offered since the last pass but one. */
  Set<Long> lately() {
    return Set.copyOf(lately);
  }

  /** Queues the blocks whose pause is over, and defers those whose pause is not. */
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

  /** Takes the next blocks that satisfy a condition. */
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
    replicas.remove(id);
  }

  void undecided(long id, long now) {
    Retry before = retries.get(id);
    long pause =
        before == null ? FIRST_PAUSE_MILLIS : Math.min(LAST_PAUSE_MILLIS, 2 * before.pause);
    retries.put(id, new Retry(now + pause, pause, replicas.get(id)));
  }

  void clear() {
    waiting.clear();
    retries.clear();
    replicas.clear();
    offered.clear();
    lately.clear();
  }
}
