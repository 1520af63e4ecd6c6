package org.braid.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.braid.engine.SliceSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads a replica from memory where it is cached, else from the disk. Caches parts that are read
 * completely.
 */
final class CachedReader implements SliceSource {
  private final LocalReplicaReader disk;
  private final ReplicaCache cache;
  private final ReplicaCache.Version version;
  private final long base;

  /** The part that is being read from the disk, and how much of it has come. */
  private byte @Nullable [] filling;

  private long part = -1;
  private int filled;

  private CachedReader(
      LocalReplicaReader disk, ReplicaCache cache, ReplicaCache.Version version, long base) {
    this.disk = disk;
    this.cache = cache;
    this.version = version;
    this.base = base;
  }

  /**
   * Creates a reader.
   *
   * @param disk an open replica, from its start; closed with this reader
   * @param base offset in the block at which reading starts
   */
  static SliceSource of(LocalReplicaReader disk, ReplicaCache cache, long base) throws IOException {
    return new CachedReader(disk, cache, disk.version(), base);
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    int end = into.limit();
    long at = base + offset;
    while (into.position() < end && at < version.length()) {
      int from = (int) (at % ReplicaCache.PART);
      byte[] known = cache.part(version, at / ReplicaCache.PART);
      int count;
      if (known != null) {
        disk.reach();
        count = ReplicaCache.copy(known, from, into);
      } else {
        int rest = (int) Math.min(ReplicaCache.PART - from, version.length() - at);
        count = Math.min(rest, end - into.position());
        int start = into.position();
        into.limit(start + count);
        disk.read(at, into);
        keep(at, into.slice(start, count));
        into.limit(end);
      }
      at += count;
    }
    while (into.hasRemaining()) {
      into.put((byte) 0);
    }
  }

  /** Collects a part that is read without gaps. */
  private void keep(long at, ByteBuffer bytes) {
    int from = (int) (at % ReplicaCache.PART);
    if (from == 0) {
      part = at / ReplicaCache.PART;
      filled = 0;
      filling = new byte[(int) Math.min(ReplicaCache.PART, version.length() - at)];
    }
    if (filling == null || part != at / ReplicaCache.PART || filled != from) {
      filling = null;
      return;
    }
    int count = bytes.remaining();
    bytes.get(filling, from, count);
    filled += count;
    if (filled == filling.length) {
      cache.put(version, part, filling);
      filling = null;
    }
  }

  @Override
  public void finish(int crc32c) {}

  @Override
  public void close() throws IOException {
    disk.close();
  }
}
