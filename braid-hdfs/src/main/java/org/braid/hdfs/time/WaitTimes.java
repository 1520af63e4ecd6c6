package org.braid.hdfs.time;

import java.util.HashMap;
import java.util.Map;

/**
 * For how long pieces of work have waited for what is not theirs to do, known while they wait and
 * afterwards. Thread-safe.
 */
public final class WaitTimes {
  /** Waits so far; {@code since} counts only while something is waited for. */
  private record Wait(long before, boolean waits, long since) {}

  private final Map<String, Wait> waits = new HashMap<>();
  private final Ticker ticker;

  /** Nobody has waited yet. */
  public WaitTimes(Ticker ticker) {
    this.ticker = ticker;
  }

  /** A piece of work begins to wait. */
  public synchronized void begin(String work) {
    waits.put(work, new Wait(millis(work), true, ticker.millis()));
  }

  /** It waits no more. */
  public synchronized void end(String work) {
    waits.put(work, new Wait(millis(work), false, 0));
  }

  /** It has ended. */
  public synchronized void forget(String work) {
    waits.remove(work);
  }

  /** The milliseconds that it has waited, in all. */
  public synchronized long millis(String work) {
    Wait wait = waits.get(work);
    if (wait == null) {
      return 0;
    }
    return wait.before + (wait.waits ? ticker.millis() - wait.since : 0);
  }
}
