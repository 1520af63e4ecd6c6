package org.braid.hdfs.datanode;

import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parts of replicas that the worker read lately, the ones used longest ago given up first (PPR
 * sections 4.4 and 6.3). What is in it was read against HDFS's checksums. Thread-safe.
 *
 * <p>Whoever asks for a part has opened the replica, so that it is there, and names its version:
 * the block's identity and when its files were changed last. A part of another version is never
 * handed out.
 */
final class ReplicaCache {
  /** Bytes of a part; the last one of a block may be shorter. */
  static final int PART = 256 << 10;

  private final long limit;
  private final LinkedHashMap<Key, byte[]> parts = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Version, Integer> counts = new HashMap<>();
  private long bytes;
  private long hits;

  /**
   * What a replica is.
   *
   * @param id the block's id
   * @param generation its generation stamp
   * @param length its bytes
   * @param changed when its files were changed last
   */
  record Version(long id, long generation, long length, List<FileTime> changed) {
    Version {
      changed = List.copyOf(changed);
    }

    private long parts() {
      return (length + PART - 1) / PART;
    }
  }

  private record Key(Version version, long part) {}

  /**
   * A cache.
   *
   * @param limit bytes that it holds at most; 0 for none
   */
  ReplicaCache(long limit) {
    this.limit = limit;
  }

  /** Whether anything is kept at all. */
  boolean enabled() {
    return limit >= PART;
  }

  /** A part; null when it is not here. Nobody may write to it. */
  synchronized byte @Nullable [] part(Version version, long part) {
    byte[] found = parts.get(new Key(version, part));
    hits += found == null ? 0 : 1;
    return found;
  }

  /** Keeps a part, which nobody may change any more. */
  synchronized void put(Version version, long part, byte[] content) {
    if (content.length > limit || parts.containsKey(new Key(version, part))) {
      return;
    }
    parts.put(new Key(version, part), content);
    counts.merge(version, 1, Integer::sum);
    bytes += content.length;
    Iterator<Map.Entry<Key, byte[]>> oldest = parts.entrySet().iterator();
    while (bytes > limit) {
      Map.Entry<Key, byte[]> entry = oldest.next();
      bytes -= entry.getValue().length;
      counts.computeIfPresent(entry.getKey().version(), (v, count) -> count > 1 ? count - 1 : null);
      oldest.remove();
    }
  }

  /** Ids of blocks of which all parts are here, those used last first, at most so many. */
  synchronized List<Long> whole(int most) {
    List<Key> keys = new ArrayList<>(parts.keySet());
    Collections.reverse(keys);
    Set<Long> whole = new LinkedHashSet<>();
    for (Key key : keys) {
      if (whole.size() < most && counts.getOrDefault(key.version(), 0) == key.version().parts()) {
        whole.add(key.version().id());
      }
    }
    return List.copyOf(whole);
  }

  /** Bytes held. */
  synchronized long bytes() {
    return bytes;
  }

  /** Parts that were asked for and here. */
  synchronized long hits() {
    return hits;
  }

  /** Copies what a part has from a place in it on. */
  static int copy(byte[] part, int from, ByteBuffer into) {
    int count = Math.min(part.length - from, into.remaining());
    into.put(part, from, count);
    return count;
  }
}
