package org.braid.hdfs.time;

import java.util.HashMap;
import java.util.Map;

/**
 * Measures how long pieces of work have waited for others, during the wait and afterwards.
 * Thread-safe.
 */
public final class WaitTimes {
  /** Waits so far; {@code since} counts only while something is waited for. */
  private record Wait(long before, boolean waits, long since) {}

  private final Map<String, Wait> waits = new HashMap<>();
  private final Ticker ticker;

  /** Starts without waits. */
  public WaitTimes(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Begins a wait of a piece of work. */
  public synchronized void begin(String work) {
    waits.put(work, new Wait(millis(work), true, ticker.millis()));
  }

  /** Ends a wait of a piece of work. */
  public synchronized void end(String work) {
    waits.put(work, new Wait(millis(work), false, 0));
  }

  /** Forgets a piece of work that has ended. */
  public synchronized void forget(String work) {
    waits.remove(work);
  }

  /** The total milliseconds that a piece of work has waited. */
  public synchronized long millis(String work) {
    Wait wait = waits.get(work);
    if (wait == null) {
      return 0;
    }
    return wait.before + (wait.waits ? ticker.millis() - wait.since : 0);
  }
}
