package org.braid.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads slices from a disk or a stream. */
public interface SliceSource extends Closeable {
  /**
   * Fills the remaining bytes of the buffer with the bytes from an offset on. Bytes past the end of
   * a short block are zero. Offsets are relative to the requested range and rise from 0 without
   * gaps.
   *
   * @throws IOException when the bytes cannot be read or do not match their checksums
   */
  void read(long offset, ByteBuffer into) throws IOException;

  /**
   * Ends a stream after its last byte was read and before any value computed from it is published.
   * May wait for the sender's {@link SliceSink#finish}. Every node finishes its streams in the
   * plan's order, so that nodes cannot deadlock. A local replica is never finished: its bytes were
   * verified when they were read.
   *
   * @param crc32c the CRC-32C of all bytes read
   * @throws IOException when the sender failed, or finished with another CRC
   */
  void finish(int crc32c) throws IOException;
}
