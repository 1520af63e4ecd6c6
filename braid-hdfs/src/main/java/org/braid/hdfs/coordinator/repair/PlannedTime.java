package org.braid.hdfs.coordinator.repair;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.time.Ticker;
import org.jspecify.annotations.Nullable;

/** The time of work that is planned and not done: nobody waits for it. */
final class PlannedTime implements Ticker {
  private final AtomicLong now = new AtomicLong();

  @Override
  public long millis() {
    return now.get();
  }

  @Override
  public void sleep(long millis) {
    now.addAndGet(millis);
  }

  /** What is waited for comes at once, or has come: it takes none of this time. */
  @Override
  public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException {
    return queue.take();
  }

  @Override
  public boolean await(CountDownLatch latch, long millis) throws InterruptedException {
    latch.await();
    return true;
  }
}
