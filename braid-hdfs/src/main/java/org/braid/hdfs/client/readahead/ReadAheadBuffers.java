package org.braid.hdfs.client.readahead;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The read-ahead memory of all streams of a file system. Thread-safe.
 *
 * <p>A stream may take one buffer beyond the limit while other streams hold all memory. It then
 * reads on at the speed of a single block, instead of waiting for readers that may never read on.
 */
public final class ReadAheadBuffers {
  private final int piece;
  private final long memory;
  private final ArrayDeque<byte[]> free = new ArrayDeque<>();
  private long used;

  /**
   * Creates the memory.
   *
   * @param piece bytes of a buffer
   * @param memory maximum bytes in use
   */
  ReadAheadBuffers(int piece, long memory) {
    this.piece = piece;
    this.memory = memory;
  }

  /** Bytes of a buffer. */
  int piece() {
    return piece;
  }

  /** Maximum bytes in use. */
  long memory() {
    return memory;
  }

  /** Bytes in use. */
  public synchronized long used() {
    return used;
  }

  /** Takes a buffer; returns null at the limit. */
  synchronized byte @Nullable [] take() {
    return used + piece > memory ? null : takeAnyway();
  }

  /** Takes a buffer even at the limit. */
  synchronized byte[] takeAnyway() {
    byte[] known = free.poll();
    byte[] taken =
        known == null ? new byte[piece] : known; // which may fail, and takes nothing then
    used += piece;
    return taken;
  }

  /** Gives a buffer back; the caller must not use it any more. */
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
