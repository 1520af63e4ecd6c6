package org.braid.hdfs.time;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for something again and again and mends it, beside other work and until that ends. */
public final class Recurring implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Recurring.class);

  /** Looking takes at most this part of the time; mending is not looking. */
  private static final int LOOK_SHARE = 10;

  /** It pauses no longer, however long it looked. */
  private static final long LONGEST_MILLIS = 300_000;

  /** What is being mended has so long to end when the other work has ended. */
  private static final long CLOSE_MILLIS = 30_000;

  private static final long ABORT_MILLIS = 3000;

  /** What is done. */
  public interface Step {
    /** Looks and mends; returns how many milliseconds it looked. */
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
   * Does nothing yet.
   *
   * @param what it looks for, for the log
   * @param pauseMillis before each look, at least
   */
  public Recurring(String name, String what, long pauseMillis, Step step) {
    this.what = what;
    this.pauseMillis = pauseMillis;
    this.step = step;
    thread = DaemonThreads.of(name, this::work);
  }

  /** Begins, on a thread of its own. */
  public void start() {
    thread.start();
  }

  /** Whether nothing more is to be begun. */
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

  /** Begins nothing more. */
  public void finish() {
    closed.countDown();
  }

  /** Breaks off what is not done within moments. */
  public void abort() {
    end(ABORT_MILLIS);
  }

  /** Finishes what was begun, if that does not last. */
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
