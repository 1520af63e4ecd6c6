package org.braid.engine;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** One value of a running fragment: its buffer, which shows one slice at a time, and its CRC. */
final class Value {
  private final ByteBuffer buffer;
  private final ByteBuffer view;
  private final CRC32C crc = new CRC32C();
  private long digested;

  Value(ByteBuffer buffer) {
    // Values that share a buffer one after the other keep positions of their own.
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

  /** Adds the slice to the CRC, the first time it is asked to. */
  void digest(long offset, int count) {
    if (digested == offset) {
      crc.update(readable(count));
      digested += count;
    }
  }

  /** The CRC-32C of all slices digested. */
  int crc32c() {
    return (int) crc.getValue();
  }
}
