package org.braid.clients.probe;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Generates the content of the files, so that every reader can check it. */
public final class ProbeContent {
  private static final String[] WORDS = {"stripe", "block", "rack", "helper", "repair", "parity"};

  private ProbeContent() {}

  /** Random bytes. */
  public static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Lines of words. */
  public static byte[] text(long seed, int lines) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < lines; line++) {
      text.append(line);
      for (int word = 0; word < 9; word++) {
        text.append(' ').append(WORDS[random.nextInt(WORDS.length)]);
      }
      text.append('\n');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** The number of occurrences of a word in a text. */
  public static long count(byte[] text, String word) {
    long count = 0;
    for (String token : new String(text, StandardCharsets.US_ASCII).split("\\s+")) {
      count += token.equals(word) ? 1 : 0;
    }
    return count;
  }
}
