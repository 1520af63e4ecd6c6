package org.braid.hdfs.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * What files consist of: bytes that do not compress, made from a seed at next to no cost for the
 * processor, so that it is not what limits a write.
 */
final class Content {
  private static final int PIECE = 1 << 20;

  private final byte[] piece = new byte[PIECE];

  Content(long seed) {
    new SplittableRandom(seed).nextBytes(piece);
  }

  /** Writes so many bytes; returns their CRC-32C. */
  long write(OutputStream out, long bytes) throws IOException {
    CRC32C crc = new CRC32C();
    for (long at = 0; at < bytes; at += PIECE) {
      // Each piece differs from the others.
      ByteBuffer.wrap(piece).putLong(0, at);
      int count = (int) Math.min(PIECE, bytes - at);
      crc.update(piece, 0, count);
      out.write(piece, 0, count);
    }
    return crc.getValue();
  }

  /** What was read: how much, and its CRC-32C. */
  record Seen(long bytes, long crc32c) {}

  /** Reads so many bytes, or to the end if that comes first. */
  static Seen read(InputStream in, long bytes) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[1 << 18];
    long done = 0;
    while (done < bytes) {
      int count = in.read(buffer, 0, (int) Math.min(buffer.length, bytes - done));
      if (count < 0) {
        break;
      }
      crc.update(buffer, 0, count);
      done += count;
    }
    return new Seen(done, crc.getValue());
  }
}
