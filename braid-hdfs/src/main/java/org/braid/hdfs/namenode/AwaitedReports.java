package org.braid.hdfs.namenode;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Measures how long DataNodes have owed their first full block report. HDFS records no such time,
 * so the measurement begins at the first look after a node has registered. Thread-safe.
 */
final class AwaitedReports {
  /**
   * A report that is awaited.
   *
   * @param since when that was seen first
   * @param seen when it was seen last
   */
  private record Wait(long since, long seen) {}

  private final LongSupplier clock;
  private final long most;
  private final Map<String, Wait> waits = new HashMap<>();

  /**
   * Starts without nodes.
   *
   * @param clock milliseconds that never run backwards
   * @param most milliseconds after which a report is no longer expected
   */
  AwaitedReports(LongSupplier clock, long most) {
    this.clock = clock;
    this.most = most;
  }

  /**
   * The time for which a node's report has been awaited.
   *
   * @param owes whether the node is live and has not reported since it registered
   * @return milliseconds; empty when no report is awaited, or it is no longer expected
   */
  synchronized OptionalLong millis(String uuid, boolean owes) {
    if (!owes) {
      waits.remove(uuid);
      return OptionalLong.empty();
    }
    long now = clock.getAsLong();
    Wait before = waits.get(uuid);
    // Where nobody looked for long it may have reported and registered again meanwhile.
    long since = before == null || now - before.seen > most ? now : before.since;
    waits.put(uuid, new Wait(since, now));
    long millis = now - since;
    return millis > most ? OptionalLong.empty() : OptionalLong.of(millis);
  }

  /** Forgets all nodes except these. */
  synchronized void retain(Set<String> uuids) {
    waits.keySet().retainAll(uuids);
  }
}
