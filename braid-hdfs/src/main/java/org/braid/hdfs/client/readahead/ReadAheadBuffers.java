package org.braid.hdfs.client.readahead;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all streams of a file system read ahead into. Thread-safe.
 *
 * <p>A stream whose other streams hold everything may take one piece more: it reads on at the pace
 * of a single block then, instead of waiting for a reader that perhaps never reads on.
 */
public final class ReadAheadBuffers {
  private final int piece;
  private final long memory;
  private final ArrayDeque<byte[]> free = new ArrayDeque<>();
  private long used;

  /**
   * A memory.
   *
   * @param piece bytes of a buffer
   * @param memory bytes in use at once
   */
  ReadAheadBuffers(int piece, long memory) {
    this.piece = piece;
    this.memory = memory;
  }

  /** Bytes of a buffer. */
  int piece() {
    return piece;
  }

  /** Bytes that may be in use at once. */
  long memory() {
    return memory;
  }

  /** Bytes in use. */
  public synchronized long used() {
    return used;
  }

  /** A buffer, or null when there is no room for one. */
  synchronized byte @Nullable [] take() {
    return used + piece > memory ? null : takeAnyway();
  }

  /** A buffer even when there is no room for one. */
  synchronized byte[] takeAnyway() {
    byte[] known = free.poll();
    byte[] taken =
        known == null ? new byte[piece] : known; // which may fail, and takes nothing then
    used += piece;
    return taken;
  }

  /** Takes a buffer back; the giver forgets it. */
  synchronized void give(byte[] buffer) {
    used -= piece;
    if (used == 0) {
      // Nobody reads ahead: the memory is better used elsewhere.
      free.clear();
    } else {
      free.push(buffer);
    }
  }
}
