package org.braid.hdfs.api;

import java.util.concurrent.CountDownLatch;
import org.braid.hdfs.time.Ticker;
import org.jspecify.annotations.Nullable;

/** Ends work that goes on by itself. Thread-safe. */
public final class StopSignal {
  private final CountDownLatch latch = new CountDownLatch(1);
  private final Ticker ticker;
  private @Nullable Thread working;

  /** A signal by the time of this machine. */
  public StopSignal() {
    this(Ticker.SYSTEM);
  }

  /** A signal that is awaited by some time. */
  public StopSignal(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Work that is broken off by an interrupt. */
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /** Asks for the end. */
  public synchronized void stop() {
    latch.countDown();
    if (working != null) {
      working.interrupt();
    }
  }

  /** Does work that the end breaks off; does nothing after the end was asked for. */
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
