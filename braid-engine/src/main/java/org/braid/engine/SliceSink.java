package org.braid.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Takes bytes slice by slice, to a disk or to a stream. Closing without {@link #finish} abandons
 * what was written: nothing is published.
 */
public interface SliceSink extends Closeable {
  /** Takes all of the buffer's remaining bytes before it returns; the caller then reuses it. */
  void write(ByteBuffer slice) throws IOException;

  /**
   * Ends the bytes.
   *
   * @param crc32c the CRC-32C of everything written
   * @throws IOException when the sink knows what the CRC must be and this is another, or when the
   *     bytes could not be kept; then nothing is published
   */
  void finish(int crc32c) throws IOException;
}
