package org.braid.hdfs.api;

import java.util.concurrent.CountDownLatch;
import org.braid.hdfs.time.Ticker;

/** Ends work that goes on by itself. Thread-safe. */
public final class StopSignal {
  private final CountDownLatch latch = new CountDownLatch(1);
  private final Ticker ticker;

  /** A signal by the time of this machine. */
  public StopSignal() {
    this(Ticker.SYSTEM);
  }

  /** A signal that is awaited by some time. */
  public StopSignal(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Asks for the end. */
  public void stop() {
    latch.countDown();
  }

  /** Whether the end was asked for. */
  public boolean stopped() {
    return latch.getCount() == 0;
  }

  /** Waits for a while, or until the end is asked for, which is then answered. */
  public boolean await(long millis) {
    try {
      return ticker.await(latch, millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
      return true;
    }
  }
}
