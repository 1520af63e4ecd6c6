package org.braid.hdfs.time;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A clock that never runs backwards, and waits that take its time. Thread-safe. */
public interface Ticker {
  /** The time of this machine. */
  Ticker SYSTEM =
      new Ticker() {
        @Override
        public long millis() {
          return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }

        @Override
        public void sleep(long millis) throws InterruptedException {
          Thread.sleep(millis);
        }

        @Override
        public <T> @Nullable T poll(BlockingQueue<T> queue, long millis)
            throws InterruptedException {
          return queue.poll(millis, TimeUnit.MILLISECONDS);
        }

        @Override
        public boolean await(CountDownLatch latch, long millis) throws InterruptedException {
          return latch.await(millis, TimeUnit.MILLISECONDS);
        }
      };

  /** Milliseconds from any origin. */
  long millis();

  /** Waits. */
  void sleep(long millis) throws InterruptedException;

  /**
   * Waits for an element of a queue and removes it.
   *
   * @return null when none came in time
   */
  <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException;

  /** Waits for a latch; false when it was not opened in time. */
  boolean await(CountDownLatch latch, long millis) throws InterruptedException;
}
