package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.time.Ticker;

/**
 * Makes a scrub wait while other work comes first, which it asks for from time to time.
 * Thread-safe.
 */
final class ReadersFirst implements ScrubGate {
  private static final long WAIT_MILLIS = 200;

  private final Question others;
  private final BooleanSupplier over;
  private final long askMillis;
  private final Ticker ticker;
  private long next;
  private boolean closed;

  /** Asks whether other work comes first. */
  interface Question {
    boolean ask() throws IOException;
  }

  /**
   * A gate.
   *
   * @param over whether the scrub is to end
   * @param askMillis how long an answer stays valid
   */
  ReadersFirst(Question others, BooleanSupplier over, long askMillis, Ticker ticker) {
    this.others = others;
    this.over = over;
    this.askMillis = askMillis;
    this.ticker = ticker;
    next = ticker.millis();
  }

  @Override
  public boolean await() throws IOException {
    while (!over.getAsBoolean()) {
      if (!isClosed()) {
        return true;
      }
      Waiting.pause(WAIT_MILLIS, ticker);
    }
    return false;
  }

  private synchronized boolean isClosed() throws IOException {
    if (ticker.millis() >= next) {
      closed = others.ask();
      next = ticker.millis() + askMillis;
    }
    return closed;
  }
}
