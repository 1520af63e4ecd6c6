package org.braid.hdfs.client.degraded;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.braid.hdfs.stripe.Datanode;

/**
 * The DataNodes that a reader had better not ask, if it can do without them: those that held up a
 * read lately, and those that the NameNode hears nothing of. The one place where readers ask for
 * that. Thread-safe.
 */
final class SuspectNodes {
  private final long nanos;
  private final LongSupplier clock;
  private final ConcurrentHashMap<String, Long> since = new ConcurrentHashMap<>();

  /**
   * No suspects yet.
   *
   * @param millis how long a node stays suspect
   * @param clock nanoseconds, from any origin
   */
  SuspectNodes(long millis, LongSupplier clock) {
    this.clock = clock;
    this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Notes that a node held up a read. */
  void add(String uuid) {
    since.put(uuid, clock.getAsLong());
  }

  /** Of some nodes those that are suspect now, by UUID, and why. */
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
