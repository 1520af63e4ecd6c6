package org.braid.shard.format;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The identity of a set of shards: 128 random bits, new for each encoding. */
public record SetId(long high, long low) {
  public static final int BYTES = 16;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** A new identity. */
  public static SetId random() {
    return new SetId(RANDOM.nextLong(), RANDOM.nextLong());
  }

  public static SetId read(ByteBuffer from) {
    return new SetId(from.getLong(), from.getLong());
  }

  public void write(ByteBuffer to) {
    to.putLong(high).putLong(low);
  }

  /** 32 lower-case hexadecimal digits. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }

  /** The first digits, enough for a person to tell sets apart. */
  public String brief() {
    return toString().substring(0, 8);
  }
}
