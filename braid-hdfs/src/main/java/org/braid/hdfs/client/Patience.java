package org.braid.hdfs.client;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether a stream waits for DataNodes as HDFS does. It does so for a while after the last cause: a
 * stream may be open for weeks, and a cause may last only a moment. Thread-safe.
 */
final class Patience {
  /** Longer than HDFS sleeps between two attempts, and than a NameNode defers an answer. */
  static final long NANOS = TimeUnit.MINUTES.toNanos(5);

  private final LongSupplier clock;
  private volatile boolean begun;
  private volatile long since;

  /**
   * None.
   *
   * @param clock nanoseconds, from any origin
   */
  Patience(LongSupplier clock) {
    this.clock = clock;
  }

  /** Copies the remaining time of another one. */
  Patience(Patience other) {
    this.clock = other.clock;
    this.since = other.since;
    this.begun = other.begun;
  }

  /** Notes a cause to wait. */
  void begin() {
    since = clock.getAsLong();
    begun = true;
  }

  /** Whether there was a cause recently. */
  boolean lasts() {
    return begun && clock.getAsLong() - since < NANOS;
  }
}
