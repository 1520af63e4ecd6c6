package org.braid.hdfs.namenode.ear;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.braid.hdfs.namenode.host.NameNodeHost.Work;

/**
 * Waits for the locations of the blocks of a file that is being written. A NameNode that has just
 * started or become active learns them from the DataNodes' next heartbeats; the previous NameNode,
 * which chose the targets, knew them at once. A waiting call holds a handler, so the number of
 * waiting calls is limited. Thread-safe.
 */
public final class LateReports {
  /**
   * Time after a transition from which a block with few reported replicas counts as one that has
   * few.
   */
  public static final long YOUNG_MILLIS = 30_000;

  /** Maximum wait for stripes that are being read in the background. */
  public static final long MOMENT_MILLIS = 500;

  private static final long LOOK_MILLIS = 20;

  private final LongSupplier transition;
  private final LongSupplier clock;
  private final long patienceMillis;
  private final Semaphore places;
  private long seen = -1;
  private long since;

  /**
   * Starts without waiting calls.
   *
   * @param transition time of the NameNode's last HA transition
   * @param clock milliseconds that never run backwards
   * @param patienceMillis maximum wait
   * @param most maximum number of waiting calls; further calls use the locations known so far
   */
  public LateReports(LongSupplier transition, LongSupplier clock, long patienceMillis, int most) {
    this.transition = transition;
    this.clock = clock;
    this.patienceMillis = patienceMillis;
    this.places = new Semaphore(most);
  }

  /** Whether this NameNode has been active for moments only, counted from the first question. */
  private synchronized boolean young() {
    long now = transition.getAsLong();
    if (seen != now) {
      seen = now;
      since = clock.getAsLong();
    }
    return clock.getAsLong() - since < YOUNG_MILLIS;
  }

  /**
   * While the NameNode is young, waits until {@code known} is true or the maximum wait is over. The
   * caller holds no locks.
   */
  public void await(Work<Boolean> known) throws IOException {
    if (young()) {
      await(known, patienceMillis);
    }
  }

  /**
   * Waits shortly for stripes that are being read in the background, at any age of the NameNode.
   */
  public void awaitBriefly(Work<Boolean> known) throws IOException {
    await(known, MOMENT_MILLIS);
  }

  private void await(Work<Boolean> known, long millis) throws IOException {
    long begun = clock.getAsLong();
    if (known.run() || !places.tryAcquire()) {
      return;
    }
    try {
      while (clock.getAsLong() - begun < millis && !known.run()) {
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reports of DataNodes were awaited", e);
    } finally {
      places.release();
    }
  }
}
