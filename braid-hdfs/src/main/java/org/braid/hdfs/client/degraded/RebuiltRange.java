package org.braid.hdfs.client.degraded;

import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/** A part of a lost block that was rebuilt. Immutable. */
final class RebuiltRange {
  private final ExtendedBlock block;
  private final long start;
  private final byte[] bytes;

  /**
   * Takes rebuilt bytes.
   *
   * @param start where they start in the file
   * @param bytes the bytes, the chunk's own from now on
   */
  RebuiltRange(ExtendedBlock block, long start, byte[] bytes) {
    this.block = block;
    this.start = start;
    this.bytes = bytes;
  }

  /** How many bytes there are. */
  int length() {
    return bytes.length;
  }

  /** Where the file goes on. */
  long end() {
    return start + bytes.length;
  }

  /** Whether it has a byte of a block: one that was changed since is another one. */
  boolean covers(ExtendedBlock other, long position) {
    // Hadoop's own comparison leaves generation and length out.
    return block.equals(other)
        && block.getGenerationStamp() == other.getGenerationStamp()
        && block.getNumBytes() == other.getNumBytes()
        && position >= start
        && position < end();
  }

  /** Copies as much as there is from a position on, and as fits; returns how much. */
  int copy(long position, ByteBuffer into) {
    int from = (int) (position - start);
    int count = Math.min(into.remaining(), bytes.length - from);
    into.put(bytes, from, count);
    return count;
  }
}
