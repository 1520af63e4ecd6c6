package org.braid.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.braid.code.Gf256;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class LinearHashTest {
  private static final int ROW = 4096;
  private static final int[] LENGTHS = {
    1, 2, 511, ROW - 1, ROW, ROW + 1, 3 * ROW + 7, 32 * ROW, 33 * ROW - 1, 70 * ROW + 5
  };

  private final Random random = Seeds.random(LinearHashTest.class);

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] hash(long seed, Kernel kernel, byte[] bytes) {
    LinearHash hash = new LinearHash(1, seed, kernel);
    hash.add(0, 0, ByteBuffer.wrap(bytes));
    return hash.hashes();
  }

  private static byte[] hash(long seed, byte[] bytes) {
    return hash(seed, Kernels.active(), bytes);
  }

  @Test
  void theHashOfACombinationIsTheCombinationOfTheHashes() {
    for (int length : LENGTHS) {
      long seed = random.nextLong();
      byte[] sum = new byte[length];
      byte[] expected = new byte[LinearHash.BYTES];
      for (int i = 0; i < 1 + random.nextInt(20); i++) {
        int factor = random.nextInt(256);
        byte[] vector = bytes(length);
        Gf256.multiplyAdd(factor, vector, 0, sum, 0, length);
        Gf256.multiplyAdd(factor, hash(seed, vector), 0, expected, 0, LinearHash.BYTES);
      }
      assertArrayEquals(expected, hash(seed, sum), length + " bytes");
    }
  }

  @Test
  void zerosBehindAVectorChangeNothing() {
    assertArrayEquals(new byte[LinearHash.BYTES], hash(1, new byte[0]));
    for (int length : LENGTHS) {
      long seed = random.nextLong();
      byte[] vector = bytes(length);
      byte[] padded = Arrays.copyOf(vector, length + 1 + random.nextInt(3 * ROW));
      assertArrayEquals(hash(seed, vector), hash(seed, padded), length + " bytes");
      assertArrayEquals(new byte[LinearHash.BYTES], hash(seed, new byte[length]));
    }
  }

  /**
   * Pieces of any lengths, in any order, of heap and direct buffers, of several vectors in turn.
   */
  @Test
  void piecesMakeTheHashOfTheWhole() {
    for (int length : LENGTHS) {
      long seed = random.nextLong();
      byte[][] vectors = {bytes(length), bytes(length)};
      LinearHash hash = new LinearHash(3, seed, Kernels.active());
      int middle = random.nextInt(length);
      for (int[] range : new int[][] {{middle, length}, {0, middle}}) {
        for (int at = range[0]; at < range[1]; ) {
          int count =
              Math.min(range[1] - at, 1 + random.nextInt(random.nextBoolean() ? 99 : 99999));
          for (int v = 0; v < 2; v++) {
            ByteBuffer direct = ByteBuffer.allocateDirect(count).put(vectors[v], at, count).flip();
            hash.add(2 * v, at, v == 0 ? direct : ByteBuffer.wrap(vectors[v], at, count));
          }
          at += count;
        }
      }
      byte[] all = new byte[3 * LinearHash.BYTES];
      System.arraycopy(hash(seed, vectors[0]), 0, all, 0, LinearHash.BYTES);
      System.arraycopy(hash(seed, vectors[1]), 0, all, 2 * LinearHash.BYTES, LinearHash.BYTES);
      assertArrayEquals(all, hash.hashes(), length + " bytes");
    }
  }

  @Test
  void eachFlippedBitIsSeen() {
    long seed = random.nextLong();
    byte[] small = bytes(97);
    byte[] before = hash(seed, small);
    for (int bit = 0; bit < 8 * small.length; bit++) {
      small[bit / 8] ^= (byte) (1 << bit % 8);
      assertFalse(Arrays.equals(before, hash(seed, small)), "bit " + bit);
      small[bit / 8] ^= (byte) (1 << bit % 8);
    }
    byte[] large = bytes(5 * ROW);
    byte[] whole = hash(seed, large);
    for (int i = 0; i < 500; i++) {
      int at = random.nextInt(large.length);
      byte change = (byte) (1 << random.nextInt(8));
      large[at] ^= change;
      assertFalse(Arrays.equals(whole, hash(seed, large)), "byte " + at);
      large[at] ^= change;
    }
  }

  /** Such as a sum without coefficients would miss. */
  @Test
  void bytesInEachOthersPlacesAreSeen() {
    byte[] vector = bytes(40 * ROW);
    long seed = random.nextLong();
    byte[] before = hash(seed, vector);
    for (int i = 0; i < 500; i++) {
      int column = random.nextInt(ROW);
      int first = random.nextInt(40) * ROW + column;
      int second = random.nextInt(40) * ROW + (random.nextBoolean() ? column : random.nextInt(ROW));
      if (vector[first] != vector[second]) {
        byte kept = vector[first];
        vector[first] = vector[second];
        vector[second] = kept;
        assertFalse(Arrays.equals(before, hash(seed, vector)), first + " and " + second);
        vector[second] = vector[first];
        vector[first] = kept;
      }
    }
  }

  @Test
  void seedsDiffer() {
    byte[] vector = bytes(3 * ROW);
    assertFalse(Arrays.equals(hash(1, vector), hash(2, vector)));
    assertFalse(Arrays.equals(hash(1, vector), hash(~1, vector)));
  }

  @Test
  void kernelsAgree() {
    for (int length : LENGTHS) {
      byte[] vector = bytes(length);
      long seed = random.nextLong();
      assertArrayEquals(hash(seed, Kernels.scalar(), vector), hash(seed, vector));
    }
  }

  /** Workers of different releases must compute the same. */
  @Test
  void theHashNeverChanges() {
    byte[] vector = new byte[40 * ROW + 9];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = (byte) (i * 31 + i / 999);
    }
    HexFormat hex = HexFormat.of();
    assertEquals(
        "36be5db1b8637e37c6ac72d63712e6ef", hex.formatHex(hash(0x0123456789abcdefL, vector)));
    assertEquals("6e744a6d679ee00ada52875dec4525c4", hex.formatHex(hash(0, new byte[] {1})));
  }

  @Test
  void whatIsNowhereIsRefused() {
    LinearHash hash = new LinearHash(1, 1, Kernels.active());
    assertEquals(
        "no byte of a vector is at -1",
        assertThrows(IllegalArgumentException.class, () -> hash.add(0, -1, ByteBuffer.allocate(1)))
            .getMessage());
  }
}
