package org.braid.hdfs.testkit.job;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * Text like that of books, from a seed: lines of words, some frequent and most rare. One line in a
 * thousand holds the word {@code stair}.
 */
public final class TextContent {
  /** The word to look for. */
  public static final String WORD = "stair";

  private static final int WORDS = 20_000;
  private static final int LINES = 8_000;
  private static final int RARE = 1_000;
  private static final int LETTERS = 26;
  private static final int LEAST_WORDS = 6;
  private static final int MORE_WORDS = 10;

  private final byte[][] lines = new byte[LINES][];
  private final SplittableRandom random;

  /** The text of a seed. */
  public TextContent(long seed) {
    random = new SplittableRandom(seed);
    String[] words = new String[WORDS];
    for (int i = 0; i < WORDS; i++) {
      words[i] = word(i);
    }
    for (int line = 0; line < LINES; line++) {
      StringBuilder text = new StringBuilder();
      for (int left = LEAST_WORDS + random.nextInt(MORE_WORDS); left > 0; left--) {
        // By Zipf's law a word of rank r has a share of 1/r.
        int rank = (int) Math.pow(WORDS, random.nextDouble());
        text.append(words[rank - 1]).append(' ');
      }
      if (line % RARE == 0) {
        text.append(WORD);
      }
      lines[line] = text.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** The word of a number, frequent ones are short. */
  private static String word(int number) {
    StringBuilder word = new StringBuilder();
    for (int rest = number; word.isEmpty() || rest > 0; rest /= LETTERS) {
      word.append((char) ('a' + rest % LETTERS));
    }
    // No other word contains the one to look for.
    return word.append(number % 2 == 0 ? "o" : "en").toString();
  }

  /** Writes bytes, the last line perhaps not to its end, and returns their CRC-32C. */
  public long write(OutputStream out, long bytes) throws IOException {
    CRC32C crc = new CRC32C();
    long left = bytes;
    while (left > 0) {
      byte[] line = lines[random.nextInt(LINES)];
      int count = (int) Math.min(line.length, left);
      crc.update(line, 0, count);
      out.write(line, 0, count);
      left -= count;
    }
    return crc.getValue();
  }
}
