package org.braid.hdfs.coordinator.throttle;

import java.util.HashMap;
import java.util.Map;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.throttle.LatencyBackoff;

/**
 * Tracks the read latencies of the nodes that plans use, and which nodes give way. Not thread-safe.
 */
final class SlowReaders {
  /** Least interval between two counted reports of a node. */
  private static final long HEAR_MILLIS = 900;

  /** Time without a plan after which a node no longer gives way. */
  private static final long USED_MILLIS = 10_000;

  private final LatencyBackoff backoff = new LatencyBackoff();

  /** The time of the last report of each node, about once a second while a plan uses it. */
  private final Map<String, Long> heardAt = new HashMap<>();

  private final Ticker ticker;

  SlowReaders(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Takes the counters of the packets that a node sent to readers since it started.
   *
   * @param packets number of packets
   * @param nanos their total time
   * @param targetMicros mean time that a packet may take; 0: any
   * @return whether the part of its limits that the node leaves to plans has changed
   */
  boolean heard(String node, long packets, long nanos, long targetMicros) {
    Long before = heardAt.get(node);
    if (before != null && ticker.millis() - before < HEAR_MILLIS) {
      return false; // it was told several rates in a row
    }
    heardAt.put(node, ticker.millis());
    return backoff.heard(node, packets, nanos, targetMicros);
  }

  /**
   * The part of its limits that a node leaves to plans; it stays until the next report of the node.
   */
  double part(String node) {
    return backoff.part(node);
  }

  /** Mean time of a packet to readers in microseconds, at the last report of the node. */
  double micros(String node) {
    return backoff.micros(node);
  }

  /** The nodes in use that leave less than all of their limits to plans. */
  Map<String, Double> givingWay() {
    Map<String, Double> giving = new HashMap<>(backoff.held());
    long now = ticker.millis();
    giving.keySet().removeIf(node -> now - heardAt.getOrDefault(node, now) >= USED_MILLIS);
    return giving;
  }
}
