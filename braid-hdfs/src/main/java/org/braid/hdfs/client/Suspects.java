package org.braid.hdfs.client;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;

/**
 * The DataNodes that a reader had better not ask, if it can do without them: those that held up a
 * read lately, and those that the NameNode hears nothing of. The one place where readers ask for
 * that. Thread-safe.
 */
final class Suspects {
  private final long nanos;
  private final ConcurrentHashMap<String, Long> since = new ConcurrentHashMap<>();

  /**
   * No suspects yet.
   *
   * @param millis how long a node stays suspect
   */
  Suspects(long millis) {
    this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Notes that a node held up a read. */
  void add(String uuid) {
    since.put(uuid, System.nanoTime());
  }

  /** Of some nodes those that are suspect now, by UUID, and why. */
  Map<String, String> among(Collection<DatanodeProto> nodes) {
    Map<String, String> suspect = new HashMap<>();
    for (DatanodeProto node : nodes) {
      Long when = since.get(node.getUuid());
      if (when != null && System.nanoTime() - when > nanos) {
        since.remove(node.getUuid(), when);
      } else if (when != null) {
        suspect.put(node.getUuid(), "held up a read lately");
      }
      if (node.getSuspect()) {
        suspect.put(node.getUuid(), "silent, says the NameNode");
      }
    }
    return suspect;
  }
}
