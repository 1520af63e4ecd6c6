package org.braid.testing;

import java.util.Random;
import java.util.zip.CRC32C;

/** Content of test blocks, and its checksum. */
public final class Bytes {
  private Bytes() {}

  /** Returns random bytes. */
  public static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Returns the CRC-32C of all bytes. */
  public static int crc32c(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
