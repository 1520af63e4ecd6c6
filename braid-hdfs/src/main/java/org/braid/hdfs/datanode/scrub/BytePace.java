package org.braid.hdfs.datanode.scrub;

import java.io.InterruptedIOException;
import org.braid.hdfs.time.Ticker;

/** Spreads bytes over time, so that no more than a rate are read a second. For one thread. */
public final class BytePace {
  private static final double MILLIS = 1000;

  private final Ticker ticker;
  private double free = Double.NEGATIVE_INFINITY;

  public BytePace(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Waits until bytes may be read.
   *
   * @param rate bytes a second; 0 for no limit
   * @throws InterruptedIOException when this thread is interrupted meanwhile
   */
  public void await(long bytes, long rate) throws InterruptedIOException {
    if (rate <= 0) {
      return;
    }
    long now = ticker.millis();
    double begin = Math.max((double) now, free);
    free = begin + MILLIS * bytes / rate;
    long wait = (long) Math.ceil(begin - now);
    if (wait > 0) {
      try {
        ticker.sleep(wait);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted between two reads of a scrub");
      }
    }
  }
}
