package org.braid.hdfs.coordinator.throttle;

import java.util.HashMap;
import java.util.Map;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.throttle.LatencyBackoff;

/** What readers meet at the nodes that plans use, and which nodes give way. Not thread-safe. */
final class SlowReaders {
  /** What readers meet counts at most so often. */
  private static final long HEAR_MILLIS = 900;

  /** A node that no plan has used for so long gives way to nobody. */
  private static final long USED_MILLIS = 10_000;

  private final LatencyBackoff backoff = new LatencyBackoff();

  /** When a node was heard of, which it is about once a second while a plan uses it. */
  private final Map<String, Long> heardAt = new HashMap<>();

  private final Ticker ticker;

  SlowReaders(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Hears what a node has done for readers since it started.
   *
   * @param packets that it has sent
   * @param nanos that they took together
   * @param targetMicros mean time that a packet may take; 0: any
   * @return whether the node leaves another part of its limits from now on
   */
  boolean heard(String node, long packets, long nanos, long targetMicros) {
    Long before = heardAt.get(node);
    if (before != null && ticker.millis() - before < HEAR_MILLIS) {
      return false; // it was told several rates in a row
    }
    heardAt.put(node, ticker.millis());
    return backoff.heard(node, packets, nanos, targetMicros);
  }

  /** The part of its limits that a node leaves; it stays until the node is heard of again. */
  double part(String node) {
    return backoff.part(node);
  }

  /** Mean time of a packet to readers in microseconds when the node was heard of last. */
  double micros(String node) {
    return backoff.micros(node);
  }

  /** The nodes in use that leave less than all. */
  Map<String, Double> givingWay() {
    Map<String, Double> giving = new HashMap<>(backoff.held());
    long now = ticker.millis();
    giving.keySet().removeIf(node -> now - heardAt.getOrDefault(node, now) >= USED_MILLIS);
    return giving;
  }
}
