package org.braid.hdfs.namenode.host;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** How long Braid held the namesystem's lock, by what for. Thread-safe. */
public final class LockHolds {
  /**
   * All holds for one purpose.
   *
   * @param count number of holds
   * @param total nanoseconds of all
   * @param longest nanoseconds
   */
  public record Hold(long count, long total, long longest) {
    private Hold plus(Hold other) {
      return new Hold(count + other.count, total + other.total, Math.max(longest, other.longest));
    }
  }

  private final Map<String, Hold> holds = new ConcurrentHashMap<>();

  void add(String what, long nanos) {
    holds.merge(what, new Hold(1, nanos, nanos), Hold::plus);
  }

  /** The holds until now, by purpose. */
  public Map<String, Hold> until() {
    return new TreeMap<>(holds);
  }

  /** Forgets all holds until now. */
  public void reset() {
    holds.clear();
  }
}
