package org.braid.hdfs.client.degraded;

import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** A part of a lost block that was rebuilt. Immutable. */
final class RebuiltRange {
  private final ExtendedBlock block;
  private final long start;
  private final byte[] bytes;

  /**
   * Wraps rebuilt bytes.
   *
   * @param start their position in the file
   * @param bytes the bytes, which the caller must not modify any more
   */
  RebuiltRange(ExtendedBlock block, long start, byte[] bytes) {
    this.block = block;
    this.start = start;
    this.bytes = bytes;
  }

  /** Number of bytes. */
  int length() {
    return bytes.length;
  }

  /** Position behind the last byte in the file. */
  long end() {
    return start + bytes.length;
  }

  /** Whether it contains the byte of a block at a position; a changed block is another block. */
  boolean covers(ExtendedBlock other, long position) {
    // Hadoop's own comparison leaves generation and length out.
    return block.equals(other)
        && block.getGenerationStamp() == other.getGenerationStamp()
        && block.getNumBytes() == other.getNumBytes()
        && position >= start
        && position < end();
  }

  /** Copies as many bytes from a position as there are and as fit; returns their number. */
  int copy(long position, ByteBuffer into) {
    int from = (int) (position - start);
    int count = Math.min(into.remaining(), bytes.length - from);
    into.put(bytes, from, count);
    return count;
  }
}
