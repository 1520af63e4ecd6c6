package org.braid.hdfs.namenode;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Since when DataNodes owe the first report of all their blocks. HDFS records no time for that: it
 * counts from the first look after a node has registered. Thread-safe.
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
   * Nothing is awaited yet.
   *
   * @param clock milliseconds that never run backwards
   * @param most milliseconds after which a report is awaited no more
   */
  AwaitedReports(LongSupplier clock, long most) {
    this.clock = clock;
    this.most = most;
  }

  /**
   * How long a node's report has been awaited.
   *
   * @param owes whether it lives and has not reported since it registered
   * @return milliseconds; empty when it is not awaited, or no more
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

  /** Forgets all nodes but some. */
  synchronized void retain(Set<String> uuids) {
    waits.keySet().retainAll(uuids);
  }
}
