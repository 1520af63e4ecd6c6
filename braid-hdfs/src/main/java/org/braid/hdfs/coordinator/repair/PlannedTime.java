package org.braid.hdfs.coordinator.repair;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.time.Ticker;
import org.jspecify.annotations.Nullable;

/** Virtual time of work that is only planned; sleeping advances it at once. */
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

  /** Waits in real time, which does not advance this time: the awaited element comes at once. */
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
