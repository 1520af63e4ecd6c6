package org.braid.hdfs.time;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Time to wait that passes only as long as this process runs: whoever stood still, as a virtual
 * machine that was moved, does not take all others for silent. For one thread.
 */
public final class AwakeTime {
  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier clock;
  private long left;
  private long last;

  /**
   * Begins to pass.
   *
   * @param millis how long, in milliseconds
   * @param clock nanoseconds
   */
  public AwakeTime(long millis, LongSupplier clock) {
    this.clock = clock;
    this.left = TimeUnit.MILLISECONDS.toNanos(millis);
    this.last = clock.getAsLong();
  }

  /** Whether it is over; what passed since the last look counts as two steps at most. */
  boolean over() {
    long now = clock.getAsLong();
    left -= Math.min(now - last, 2 * STEP_NANOS);
    last = now;
    return left <= 0;
  }

  /**
   * What comes of a task; one that has ended is asked in any case.
   *
   * @throws TimeoutException when the time is over before
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
