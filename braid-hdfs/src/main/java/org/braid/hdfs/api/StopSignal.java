package org.braid.hdfs.api;

import java.util.concurrent.CountDownLatch;
import org.braid.hdfs.time.Ticker;
import org.jspecify.annotations.Nullable;

/** Ends work that would otherwise run for ever. Thread-safe. */
public final class StopSignal {
  private final CountDownLatch latch = new CountDownLatch(1);
  private final Ticker ticker;
  private @Nullable Thread working;

  /** Creates a signal with the clock of this host. */
  public StopSignal() {
    this(Ticker.SYSTEM);
  }

  /** Creates a signal with a given clock. */
  public StopSignal(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Work that an interrupt ends. */
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /** Requests the end. */
  public synchronized void stop() {
    latch.countDown();
    if (working != null) {
      working.interrupt();
    }
  }

  /** Does work and interrupts it when the end is requested; does nothing after the request. */
  public <E extends Exception> void breakingOff(Work<E> work) throws E {
    synchronized (this) {
      if (stopped()) {
        return;
      }
      working = Thread.currentThread();
    }
    try {
      work.run();
    } finally {
      synchronized (this) {
        working = null;
        if (stopped()) {
          Thread.interrupted(); // what follows, as giving back a lease, is not broken off
        }
      }
    }
  }

  /** Whether the end was requested. */
  public boolean stopped() {
    return latch.getCount() == 0;
  }

  /** Waits for a time or until the end is requested; returns whether it was requested. */
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
