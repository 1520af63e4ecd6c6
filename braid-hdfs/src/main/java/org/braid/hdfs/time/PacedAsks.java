package org.braid.hdfs.time;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Paces requests for work that takes long and restarts with each request. The same target is asked
 * again only after a pause, which doubles each time, or in another era. Thread-safe.
 */
public final class PacedAsks {
  /** When one was asked last, and what it has from then on; milliseconds. */
  private record Asked(long at, long pause) {}

  private final LongSupplier millis;
  private final LongSupplier eras;
  private final long firstPause;
  private final long longestPause;
  private final Map<String, Asked> asked = new HashMap<>();
  private long era;

  /**
   * Starts without requests.
   *
   * @param millis a clock that never runs backwards
   * @param eras number of the present era; in a new era all targets may be asked at once
   * @param firstPause milliseconds after the first request
   * @param longestPause maximum milliseconds
   */
  public PacedAsks(LongSupplier millis, LongSupplier eras, long firstPause, long longestPause) {
    this.millis = millis;
    this.eras = eras;
    this.era = eras.getAsLong();
    this.firstPause = firstPause;
    this.longestPause = Math.max(firstPause, longestPause);
  }

  /** Whether to ask a target now; if so, its next pause begins. */
  public synchronized boolean begin(String name) {
    long present = eras.getAsLong();
    if (present != era) {
      era = present;
      asked.clear();
    }
    long now = millis.getAsLong();
    Asked before = asked.get(name);
    if (before != null && now - before.at < before.pause) {
      return false;
    }
    long pause = before == null ? firstPause : Math.min(longestPause, 2 * before.pause);
    asked.put(name, new Asked(now, pause));
    return true;
  }
}
