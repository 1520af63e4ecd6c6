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
 * A cache of recently read parts of replicas, with least recently used eviction (PPR sections 4.4
 * and 6.3). All cached bytes were checked against HDFS's checksums. Thread-safe.
 *
 * <p>A caller first opens the replica, which proves that it still exists, and names its version:
 * the block's identity and the modification times of its files. The cache never returns a part of
 * another version.
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
   * The version of a replica.
   *
   * @param id the block's id
   * @param generation the block's generation stamp
   * @param length the block's bytes
   * @param changed modification times of the replica's files
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
   * Creates a cache.
   *
   * @param limit maximum number of bytes; 0 turns the cache off
   */
  ReplicaCache(long limit) {
    this.limit = limit;
  }

  /** Whether the cache keeps anything. */
  boolean enabled() {
    return limit >= PART;
  }

  /** A cached part, which callers must not modify; null when it is not cached. */
  synchronized byte @Nullable [] part(Version version, long part) {
    byte[] found = parts.get(new Key(version, part));
    hits += found == null ? 0 : 1;
    return found;
  }

  /** Caches a part, which no caller may modify any more. */
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

  /** Ids of completely cached blocks, the most recently used first, up to {@code most}. */
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

  /** Cached bytes. */
  synchronized long bytes() {
    return bytes;
  }

  /** Number of cache hits. */
  synchronized long hits() {
    return hits;
  }

  /** Copies bytes of a part from an offset into a buffer; returns their number. */
  static int copy(byte[] part, int from, ByteBuffer into) {
    int count = Math.min(part.length - from, into.remaining());
    into.put(part, from, count);
    return count;
  }
}
