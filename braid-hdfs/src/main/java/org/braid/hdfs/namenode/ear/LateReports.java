package org.braid.hdfs.namenode.ear;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.braid.hdfs.namenode.host.NameNodeHost.Work;

/**
 * Waits for word of where the blocks of a file are that is being written. A NameNode that has just
 * started or become active learns that from the DataNodes' next heartbeats; the one that gave the
 * places out knew them at once. Whoever waits holds a handler, so that only some wait at once.
 * Thread-safe.
 */
public final class LateReports {
  /** Afterwards a block with few replicas is one that has few. */
  public static final long YOUNG_MILLIS = 30_000;

  /** What is read in the background is waited for that long. */
  public static final long MOMENT_MILLIS = 500;

  private static final long LOOK_MILLIS = 20;

  private final LongSupplier transition;
  private final LongSupplier clock;
  private final long patienceMillis;
  private final Semaphore places;
  private long seen = -1;
  private long since;

  /**
   * Nobody waits yet.
   *
   * @param transition when the NameNode became what it is
   * @param clock milliseconds that never run backwards
   * @param patienceMillis how long to wait at most
   * @param most how many may wait at once; others go on with what is known
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
   * Waits until something is known, not for ever, while the NameNode is young. To be called without
   * locks.
   */
  public void await(Work<Boolean> known) throws IOException {
    if (young()) {
      await(known, patienceMillis);
    }
  }

  /** Waits a moment, at any time, for what is read in the background. */
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
