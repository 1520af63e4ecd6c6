package org.braid.plan.throttle;

import java.util.HashMap;
import java.util.Map;

/**
 * The part of its limits that each node leaves to work in the background: halved whenever users'
 * reads take longer than they should, and raised in small steps when they do not. Not thread-safe.
 */
public final class LatencyBackoff {
  /** The smallest part for work in the background: lost blocks are rebuilt under any load. */
  public static final double LEAST = 0.05;

  private static final double STEP = 0.1;

  /** Between this part of the target and the target nothing changes. */
  private static final double CALM = 0.8;

  /** Means over fewer packets say little. */
  private static final long ENOUGH = 8;

  private final Map<String, Node> nodes = new HashMap<>();

  /** What is known of a node. */
  private static final class Node {
    private long count;
    private long nanos;
    private double part = 1;
    private double micros;
  }

  /**
   * Takes the counters of the packets that a node sent to readers since it started. Called about
   * once a second.
   *
   * @param count packets sent
   * @param nanos time that they took together
   * @param targetMicros mean time that a packet may take; 0: any
   * @return whether the node's part has changed
   */
  public boolean heard(String node, long count, long nanos, long targetMicros) {
    Node known = nodes.get(node);
    if (known == null || count < known.count || nanos < known.nanos) {
      known = known == null ? new Node() : known; // a node that was restarted counts anew
      known.count = count;
      known.nanos = nanos;
      nodes.put(node, known);
      return false;
    }
    long packets = count - known.count;
    double mean = packets == 0 ? 0 : (nanos - known.nanos) / 1000.0 / packets;
    known.count = count;
    known.nanos = nanos;
    known.micros = mean;
    double before = known.part;
    if (targetMicros == 0) {
      known.part = 1;
    } else if (packets >= ENOUGH && mean > targetMicros) {
      known.part = Math.max(LEAST, known.part / 2);
    } else if (packets < ENOUGH || mean < CALM * targetMicros) {
      known.part = Math.min(1, known.part + STEP);
    }
    return known.part != before;
  }

  /** The part of its limits that a node leaves, {@value #LEAST} to 1. */
  public double part(String node) {
    Node known = nodes.get(node);
    return known == null ? 1 : known.part;
  }

  /** The latest mean time of a packet to readers, in microseconds; 0 when there is none. */
  public double micros(String node) {
    Node known = nodes.get(node);
    return known == null ? 0 : known.micros;
  }

  /** The nodes that leave less than all. */
  public Map<String, Double> held() {
    Map<String, Double> held = new HashMap<>();
    nodes.forEach(
        (name, node) -> {
          if (node.part < 1) {
            held.put(name, node.part);
          }
        });
    return held;
  }
}
