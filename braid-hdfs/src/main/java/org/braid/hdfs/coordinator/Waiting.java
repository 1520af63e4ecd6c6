package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Waiting for what the NameNode learns from its DataNodes a moment later. */
final class Waiting {
  private Waiting() {}

  /** A condition that is asked over the network. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws IOException;
  }

  /** Waits for a condition; false when the time is over. */
  static boolean until(long millis, Condition condition) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long pause = 5;
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      pause(pause);
      pause = Math.min(100, pause * 2);
    }
    return true;
  }

  static void pause(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting");
    }
  }
}
