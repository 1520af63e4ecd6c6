package org.braid.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes that come slice by slice, from a disk or from a stream. */
public interface SliceSource extends Closeable {
  /**
   * Fills the buffer's remaining bytes with those from an offset on; bytes past the end of a short
   * block are zero. Offsets rise without gaps from 0, relative to the range asked for.
   *
   * @throws IOException when the bytes cannot be had or do not match their checksums
   */
  void read(long offset, ByteBuffer into) throws IOException;

  /**
   * Told the CRC-32C of all that was read, after the last byte of a stream and before anything that
   * was made of it is published. May wait for the sending end's {@link SliceSink#finish}; on every
   * node finishes come in the plan's order, as slices do, so that nodes cannot wait in a circle.
   *
   * @throws IOException when the sending end gave up, or finished with another CRC
   */
  default void finish(int crc32c) throws IOException {}
}
