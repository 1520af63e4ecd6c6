package org.braid.hdfs.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides how long a run waits for its next slice before a helper counts as holding it up. Only
 * time counts in which this process had a processor: a task on a host with too many of them takes
 * no helper for slow, and reads no further blocks for its own delay.
 */
final class SlicePatience {
  /**
   * Number of slices after which their times count; the first slices wait for all nodes to begin.
   */
  private static final int FLOWING = 8;

  /** Minimum number of looks, each of which needs a processor, until a helper counts as slow. */
  private static final int LOOKS = 10;

  /** Most time that counts between two looks; a later look means that there was no processor. */
  static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Least time between two looks, which a thread can sleep for; a shorter wait has fewer looks. */
  private static final long LEAST_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final LongSupplier clock;
  private long looked;
  private long step = STEP_NANOS;
  private long waited;
  private long longest;
  private int slices;

  /**
   * Begins to wait for the first slice.
   *
   * @param clock nanoseconds, from any origin
   */
  SlicePatience(LongSupplier clock) {
    this.clock = clock;
    looked = clock.getAsLong();
  }

  /** Begins anew to wait for the next slice. */
  synchronized void begin() {
    looked = clock.getAsLong();
    waited = 0;
  }

  /** Takes the time of a slice, and begins to wait for the next one. */
  synchronized void arrived() {
    look();
    longest = Math.max(longest, waited);
    waited = 0;
    slices++;
  }

  /**
   * How long to wait for the slice until the next look.
   *
   * @param configured nanoseconds to wait for a slice in all; once slices flow, ten times the time
   *     of the slowest one, if that is less
   * @return nanoseconds, one step at most; 0 when a helper counts as holding the run up
   */
  synchronized long left(long configured) {
    look();
    long most =
        slices < FLOWING
            ? configured
            : Math.max(configured / 5, Math.min(configured, 10 * longest));
    step = Math.max(LEAST_STEP_NANOS, Math.min(STEP_NANOS, most / LOOKS));
    return Math.min(step, Math.max(0, most - waited));
  }

  private void look() {
    long now = clock.getAsLong();
    waited += Math.min(now - looked, step);
    looked = now;
  }
}
