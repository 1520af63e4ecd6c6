package org.braid.hdfs.testkit.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Contents beside arrays of their bytes. */
final class GeneratedContentTest {
  private static final int MOST = 200_000;

  private final Random random = Seeds.random(GeneratedContentTest.class);

  private static byte[] bytes(GeneratedContent content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    content.write(out);
    assertEquals(content.length(), out.size());
    return out.toByteArray();
  }

  private static long equalBytes(GeneratedContent content, byte[] there) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(there);
    return ContentComparison.equalBytes(content, (into, count) -> in.readNBytes(into, 0, count));
  }

  private GeneratedContent some() {
    return GeneratedContent.of(random.nextLong(), random.nextInt(MOST));
  }

  @Test
  void partsAndJoinsAreThoseOfTheBytes() throws IOException {
    for (int i = 0; i < 50; i++) {
      GeneratedContent first = some();
      GeneratedContent second = some();
      byte[] joined = Arrays.copyOf(bytes(first), (int) (first.length() + second.length()));
      System.arraycopy(bytes(second), 0, joined, (int) first.length(), (int) second.length());
      GeneratedContent both = first.plus(second);
      assertArrayEquals(joined, bytes(both));
      int from = random.nextInt(joined.length + 1);
      int to = from + random.nextInt(joined.length + 1 - from);
      assertArrayEquals(Arrays.copyOfRange(joined, from, to), bytes(both.part(from, to - from)));
      assertArrayEquals(Arrays.copyOf(joined, from), bytes(both.first(from)));
      CRC32C crc = new CRC32C();
      crc.update(joined);
      assertEquals(crc.getValue(), both.crc32c());
      assertThrows(IllegalArgumentException.class, () -> both.part(1, both.length()));
    }
  }

  @Test
  void theBytesOfASeedAreIncompressibleAndItsOwn() throws IOException {
    int[] counts = new int[256];
    for (byte one : bytes(GeneratedContent.of(random.nextLong(), 1 << 18))) {
      counts[one & 0xff]++;
    }
    assertTrue(Arrays.stream(counts).allMatch(c -> c > 800 && c < 1250), Arrays.toString(counts));
    byte[] one = bytes(GeneratedContent.of(7, 4096));
    byte[] next = bytes(GeneratedContent.of(8, 4096));
    assertTrue(Arrays.mismatch(one, next) < 8);
  }

  @Test
  void aComparisonFindsTheFirstByteThatDiffersOrIsMissing() throws IOException {
    for (int i = 0; i < 50; i++) {
      GeneratedContent content = some().plus(some()).plus(GeneratedContent.of(1, 1));
      byte[] there = bytes(content);
      assertEquals(there.length, equalBytes(content, there));
      int at = random.nextInt(there.length);
      assertEquals(at, equalBytes(content, Arrays.copyOf(there, at)));
      there[at] ^= (byte) (1 << random.nextInt(8));
      assertEquals(at, equalBytes(content, there));
    }
  }
}
