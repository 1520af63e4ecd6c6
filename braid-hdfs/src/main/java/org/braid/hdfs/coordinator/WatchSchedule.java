package org.braid.hdfs.coordinator;

import java.util.concurrent.TimeUnit;
import org.braid.hdfs.time.Ticker;

/**
 * When a watcher looks for lost blocks: at once, then at an interval that is longer if looking
 * takes long, so that looking takes at most a fixed part of the time. Of the last two looks the
 * faster one counts: the NameNode may have paused during the other.
 */
final class WatchSchedule {
  /** Interval of looks at all stripes, not only at those with missing blocks. */
  static final long ALL_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** Looking takes at most one part in this many of the time. */
  static final int LOOK_SHARE = 20;

  private final long intervalMillis;
  private final Ticker ticker;
  private long next;
  private long nextAll;
  private boolean all;
  private long took;
  private long tookBefore;

  WatchSchedule(long intervalMillis, Ticker ticker) {
    this.intervalMillis = intervalMillis;
    this.ticker = ticker;
    next = ticker.millis();
    nextAll = next;
  }

  /** Whether it is time for a look. */
  boolean due() {
    return ticker.millis() >= next;
  }

  /** Begins a look; returns whether it covers all stripes. */
  boolean begin() {
    took = 0;
    all = ticker.millis() >= nextAll;
    return all;
  }

  /** Takes the time that listing the stripes took; the rest of a look is repair. */
  void listed(long millis) {
    took = millis;
  }

  /** Notes that the look covered all stripes that it asked for, as far as possible. */
  void looked() {
    if (all) {
      nextAll = ticker.millis() + ALL_MILLIS;
    }
  }

  /**
   * Ends the look and sets the time of the next one. A look that gives way is not ended, so that
   * the next one is due at once.
   */
  void end() {
    next = ticker.millis() + Math.max(intervalMillis, LOOK_SHARE * Math.min(took, tookBefore));
    tookBefore = took;
  }
}
