package org.braid.hdfs.api;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends work that goes on by itself. Thread-safe. */
public final class StopSignal {
  private final CountDownLatch latch = new CountDownLatch(1);

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
      return latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
      return true;
    }
  }
}
