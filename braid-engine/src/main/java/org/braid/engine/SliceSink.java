package org.braid.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes slices to a disk or a stream. Closing without {@link #finish} abandons the written bytes:
 * nothing is published.
 */
public interface SliceSink extends Closeable {
  /** Writes all remaining bytes of the buffer. The caller may reuse the buffer afterwards. */
  void write(ByteBuffer slice) throws IOException;

  /**
   * Ends the stream or the block.
   *
   * @param crc32c the CRC-32C of all bytes written
   * @throws IOException when the sink expects another CRC, or when the bytes could not be stored;
   *     nothing is published then
   */
  void finish(int crc32c) throws IOException;
}
