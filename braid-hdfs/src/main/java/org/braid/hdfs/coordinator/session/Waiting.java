package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.braid.hdfs.time.Ticker;

/** Waits for the NameNode to learn of changes from its DataNodes. */
public final class Waiting {
  private Waiting() {}

  /** A condition that takes calls to evaluate. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws IOException;
  }

  /** Waits for a condition; returns false when the time is up. */
  public static boolean until(long millis, Condition condition) throws IOException {
    return until(millis, condition, Ticker.SYSTEM);
  }

  static boolean until(long millis, Condition condition, Ticker ticker) throws IOException {
    long end = ticker.millis() + millis;
    long pause = 5;
    while (!condition.holds()) {
      if (ticker.millis() > end) {
        return false;
      }
      pause(pause, ticker);
      pause = Math.min(100, pause * 2);
    }
    return true;
  }

  /** Waits. */
  public static void pause(long millis) throws InterruptedIOException {
    pause(millis, Ticker.SYSTEM);
  }

  /** Waits by some time. */
  public static void pause(long millis, Ticker ticker) throws InterruptedIOException {
    try {
      ticker.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting");
    }
  }
}
