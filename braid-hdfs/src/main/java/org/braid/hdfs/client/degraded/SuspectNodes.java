package org.braid.hdfs.client.degraded;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.braid.hdfs.stripe.Datanode;

/**
 * The DataNodes that a reader avoids if it can: nodes that delayed a read recently, and nodes that
 * the NameNode reports silent. All readers use this class for that decision. Thread-safe.
 */
final class SuspectNodes {
  private final long nanos;
  private final LongSupplier clock;
  private final ConcurrentHashMap<String, Long> since = new ConcurrentHashMap<>();

  /**
   * Starts without suspects.
   *
   * @param millis time for which a node stays suspect
   * @param clock nanoseconds, from any origin
   */
  SuspectNodes(long millis, LongSupplier clock) {
    this.clock = clock;
    this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Notes that a node delayed a read. */
  void add(String uuid) {
    since.put(uuid, clock.getAsLong());
  }

  /** The suspects among nodes, by UUID, with the reason. */
  Map<String, String> among(Collection<Datanode> nodes) {
    Map<String, String> suspect = new HashMap<>();
    for (Datanode node : nodes) {
      Long when = since.get(node.uuid());
      if (when != null && clock.getAsLong() - when > nanos) {
        since.remove(node.uuid(), when);
      } else if (when != null) {
        suspect.put(node.uuid(), "held up a read lately");
      }
      if (node.suspect()) {
        suspect.put(node.uuid(), "silent, says the NameNode");
      }
    }
    return suspect;
  }
}
