package org.braid.hdfs.coordinator;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names of stripes and runs: 128 random bits, as nobody may guess a run's. */
final class Ids {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Ids() {}

  static String random() {
    byte[] bits = new byte[16];
    RANDOM.nextBytes(bits);
    return HexFormat.of().formatHex(bits);
  }
}
