package org.braid.hdfs.time;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Time that passes only while somebody waits. */
public final class FakeTicker implements Ticker {
  private static final long REAL_MILLIS = 20;
  private final AtomicLong now = new AtomicLong(1_000_000);
  private final Runnable polled;

  /** Nobody else hears of waits. */
  public FakeTicker() {
    this(() -> {});
  }

  /**
   * Time for work on other threads.
   *
   * @param polled called when somebody begins to wait for an element
   */
  public FakeTicker(Runnable polled) {
    this.polled = polled;
  }

  /** Lets time pass. */
  public void pass(long millis) {
    now.addAndGet(millis);
  }

  @Override
  public long millis() {
    return now.get();
  }

  @Override
  public void sleep(long millis) {
    pass(millis);
  }

  /** Gives threads at work a moment of real time to come with an element. */
  @Override
  public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException {
    polled.run();
    T element = queue.poll(REAL_MILLIS, TimeUnit.MILLISECONDS);
    if (element == null) {
      pass(millis);
    }
    return element;
  }

  @Override
  public boolean await(CountDownLatch latch, long millis) {
    if (latch.getCount() > 0) {
      pass(millis);
    }
    return latch.getCount() == 0;
  }
}
