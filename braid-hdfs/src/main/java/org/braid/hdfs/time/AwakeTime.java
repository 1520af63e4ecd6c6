package org.braid.hdfs.time;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * A time-out that only counts while this process runs: after a pause, such as the move of a virtual
 * machine, the process does not take all others for silent. For one thread.
 */
public final class AwakeTime {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier clock;
  private long left;
  private long last;

  /**
   * Starts the time-out.
   *
   * @param millis duration in milliseconds
   * @param clock nanoseconds
   */
  public AwakeTime(long millis, LongSupplier clock) {
    this.clock = clock;
    this.left = TimeUnit.MILLISECONDS.toNanos(millis);
    this.last = clock.getAsLong();
  }

  /** Whether the time-out is over; the time since the last look counts as two steps at most. */
  boolean over() {
    long now = clock.getAsLong();
    left -= Math.min(now - last, 2 * STEP_NANOS);
    last = now;
    return left <= 0;
  }

  /**
   * The result of a task; returns that of a finished task in any case.
   *
   * @throws TimeoutException when the time-out is over first
   */
  public <T> T get(Future<T> task)
      throws InterruptedException, ExecutionException, TimeoutException {
    while (true) {
      boolean over = over();
      try {
        return task.get(over ? 1 : Math.min(left, STEP_NANOS), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        if (over) {
          throw e;
        }
      }
    }
  }
}
