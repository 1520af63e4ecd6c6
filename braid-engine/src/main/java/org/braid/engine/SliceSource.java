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
}
