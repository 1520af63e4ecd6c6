package org.braid.hdfs.time;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats a check and repair in the background of other work, until that ends. */
public final class Recurring implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Recurring.class);

  /** Looking takes at most this part of the time; mending is not looking. */
  private static final int LOOK_SHARE = 10;

  /** It pauses no longer, however long it looked. */
  private static final long LONGEST_MILLIS = 300_000;

  /** What is being mended has so long to end when the other work has ended. */
  private static final long CLOSE_MILLIS = 30_000;

  private static final long ABORT_MILLIS = 3000;

  /** The check and repair. */
  public interface Step {
    /** Checks and repairs; returns the milliseconds that the check took. */
    long run() throws IOException;
  }

  private final String what;
  private final long pauseMillis;
  private final Step step;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** How many milliseconds it looked last; used by its thread alone. */
  private long looked;

  /** Whether whoever ended it has waited. */
  private boolean ended;

  /**
   * Does not start yet.
   *
   * @param what what it looks for, for the log
   * @param pauseMillis minimum pause before each check
   */
  public Recurring(String name, String what, long pauseMillis, Step step) {
    this.what = what;
    this.pauseMillis = pauseMillis;
    this.step = step;
    thread = DaemonThreads.of(name, this::work);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Whether no further check or repair may begin. */
  public boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void work() {
    long pause = pauseMillis;
    try {
      while (!closed.await(pause, TimeUnit.MILLISECONDS)) {
        long begun = System.nanoTime();
        Turn.take(
            () -> looked = step.run(),
            e -> {
              looked = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
              if (!isClosed()) {
                LOG.warn("{} are looked for later: {}", what, e.getMessage());
              }
            });
        pause = Math.max(pauseMillis, Math.min(LONGEST_MILLIS, (LOOK_SHARE - 1) * looked));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Begins no further check. */
  public void finish() {
    closed.countDown();
  }

  /** Waits three seconds for a running check or repair, then interrupts it. */
  public void abort() {
    end(ABORT_MILLIS);
  }

  /** Waits half a minute for a running check or repair, then interrupts it. */
  @Override
  public void close() {
    end(CLOSE_MILLIS);
  }

  private void end(long millis) {
    if (ended) {
      return;
    }
    ended = true;
    finish();
    try {
      thread.join(millis);
      if (thread.isAlive()) {
        LOG.warn("a repair does not end within {} s, it is broken off", millis / 1000);
        thread.interrupt();
        thread.join(ABORT_MILLIS);
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
