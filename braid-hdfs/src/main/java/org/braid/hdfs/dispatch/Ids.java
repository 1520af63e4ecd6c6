package org.braid.hdfs.dispatch;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names of stripes and runs: 128 random bits, so that the name of a run cannot be guessed. */
public final class Ids {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Ids() {}

  /** A new name: 32 hexadecimal digits. */
  public static String random() {
    byte[] bits = new byte[16];
    RANDOM.nextBytes(bits);
    return HexFormat.of().formatHex(bits);
  }
}
