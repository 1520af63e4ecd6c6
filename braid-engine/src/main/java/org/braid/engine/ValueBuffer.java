package org.braid.engine;

import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import org.braid.kernel.Jdk;

/**
 * The buffer of one value of a running fragment, which holds one slice at a time, and the CRC of
 * all slices.
 */
final class ValueBuffer {
  private final ByteBuffer buffer;
  private final ByteBuffer view;
  private final Checksum crc = Jdk.crc32c();
  private long digested;

  ValueBuffer(ByteBuffer buffer) {
    // Values that share a buffer in turn have separate positions.
    this.buffer = buffer.duplicate();
    this.view = buffer.asReadOnlyBuffer();
  }

  /** The buffer to fill with a slice. */
  ByteBuffer writable(int count) {
    return buffer.clear().limit(count);
  }

  /** The slice, to read. */
  ByteBuffer readable(int count) {
    return view.clear().limit(count);
  }

  /** Adds the slice to the CRC once; further calls for the same slice do nothing. */
  void digest(long offset, int count) {
    if (digested == offset) {
      Jdk.update(crc, readable(count));
      digested += count;
    }
  }

  /** The CRC-32C of all slices digested. */
  int crc32c() {
    return (int) crc.getValue();
  }
}
