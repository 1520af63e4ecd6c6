package org.braid.hdfs.client;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * For how long a stream waits for DataNodes as HDFS does: a while longer than it is called for. A
 * stream may be open for weeks, and what called for it may be over in a moment. Thread-safe.
 */
final class Patience {
  /** Longer than HDFS sleeps between two tries, and than a NameNode defers an answer. */
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

  /** As much as another one has left. */
  Patience(Patience other) {
    this.clock = other.clock;
    this.since = other.since;
    this.begun = other.begun;
  }

  /** It is called for. */
  void begin() {
    since = clock.getAsLong();
    begun = true;
  }

  /** Whether it was called for lately. */
  boolean lasts() {
    return begun && clock.getAsLong() - since < NANOS;
  }
}
