package org.braid.hdfs.coordinator.throttle;

import java.util.Map;
import java.util.TreeMap;
import org.braid.plan.throttle.SharedLink;
import org.braid.plan.throttle.SharedLink.Way;

/** Bytes that background plans have moved, by class of work and kind of link. Thread-safe. */
public final class MovedBytes {
  /** The class of unthrottled work. */
  public static final String URGENT = "urgent";

  private final Map<String, Long> bytes = new TreeMap<>();

  /** Adds a plan that ended well. Bytes count where they are sent, not where they are received. */
  synchronized void add(Background work, Map<SharedLink, Integer> loads, long length) {
    String name = work.urgent() ? URGENT : work.word();
    loads.forEach(
        (link, count) -> {
          if (link.way() != Way.IN) {
            bytes.merge(key(name, link.kind()), count * length, Long::sum);
          }
        });
  }

  /** Bytes so far. */
  public synchronized long of(String work, SharedLink.Kind kind) {
    return bytes.getOrDefault(key(work, kind), 0L);
  }

  private static String key(String work, SharedLink.Kind kind) {
    return work + " " + kind;
  }
}
