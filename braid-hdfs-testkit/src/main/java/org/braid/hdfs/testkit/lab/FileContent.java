package org.braid.hdfs.testkit.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * The content of test files: incompressible bytes from a seed, generated at negligible cost, so
 * that the processor does not limit writes.
 */
final class FileContent {
  private static final int PIECE = 1 << 20;

  private final byte[] piece = new byte[PIECE];

  FileContent(long seed) {
    new SplittableRandom(seed).nextBytes(piece);
  }

  /** Writes bytes and returns their CRC-32C. */
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

  /** Number and CRC-32C of the bytes read. */
  record Digest(long bytes, long crc32c) {}

  /** Reads {@code bytes} bytes, or fewer at the end of the stream. */
  static Digest read(InputStream in, long bytes) throws IOException {
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
    return new Digest(done, crc.getValue());
  }
}
