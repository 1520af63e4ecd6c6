package org.braid.hdfs.client;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether a client takes Braid to be absent from a NameNode. A starting NameNode serves HDFS's
 * calls some moments before Braid's, so the first absence is short. Each absence that directly
 * follows another lasts twice as long, up to a minute. Thread-safe.
 */
final class Absence {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier clock;
  private long since;
  private long lasts;

  /**
   * Not absent yet.
   *
   * @param clock nanoseconds, from any origin
   */
  Absence(LongSupplier clock) {
    this.clock = clock;
  }

  /** Whether no call should be made now. */
  synchronized boolean lasts() {
    return lasts > 0 && clock.getAsLong() - since < lasts;
  }

  /** Notes an answer that shows that Braid is absent; answers from the same time count once. */
  synchronized void begin() {
    if (!lasts()) {
      since = clock.getAsLong();
      lasts = lasts == 0 ? FIRST_NANOS : Math.min(LONGEST_NANOS, 2 * lasts);
    }
  }

  /** Notes an answer from Braid. */
  synchronized void end() {
    lasts = 0;
  }
}
