package org.braid.hdfs.coordinator.repair;

import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** The threads of repairs that run. */
final class RepairThreads {
  /** Repairs that are broken off have so long to end. */
  private static final long STOP_SECONDS = 5;

  private RepairThreads() {}

  /** Stops what still runs when the work as a whole has failed. */
  static void stop(Collection<Thread> threads) {
    boolean interrupted = Thread.interrupted(); // they are given a moment to clean up all the same
    threads.forEach(Thread::interrupt);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
