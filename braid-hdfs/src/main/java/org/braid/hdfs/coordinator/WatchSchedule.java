package org.braid.hdfs.coordinator;

import java.util.concurrent.TimeUnit;
import org.braid.hdfs.time.Ticker;

/**
 * When a watcher looks for lost blocks: at once, then at an interval, but looking takes at most a
 * part of the time. One look that took long counts as no more than the one before it: the NameNode
 * may have paused.
 */
final class WatchSchedule {
  /** How often all stripes are looked at, and not only those in which something is missing. */
  static final long ALL_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** Looking takes at most this part of the time. */
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

  /** A look begins; says whether all stripes are looked at. */
  boolean begin() {
    took = 0;
    all = ticker.millis() >= nextAll;
    return all;
  }

  /** The stripes to look at are listed, which took so long; what else is done is repair. */
  void listed(long millis) {
    took = millis;
  }

  /** All that was asked for was looked at, as far as it could be. */
  void looked() {
    if (all) {
      nextAll = ticker.millis() + ALL_MILLIS;
    }
  }

  /** The look has ended; one that was broken off is taken up as soon as it can be. */
  void end() {
    next = ticker.millis() + Math.max(intervalMillis, LOOK_SHARE * Math.min(took, tookBefore));
    tookBefore = took;
  }
}
