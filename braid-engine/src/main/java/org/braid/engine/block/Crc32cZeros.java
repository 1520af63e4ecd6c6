package org.braid.engine.block;

/**
 * Computes the CRC-32C of bytes followed by zeros from the CRC of the bytes. A short block is read
 * with zeros up to the length of the stripe, while the stripe records the CRC of its content alone.
 *
 * <p>Appending a zero byte is a linear map over GF(2). The class keeps the repeated squares of that
 * map, so that n zeros cost log n steps.
 */
public final class Crc32cZeros {
  /** The reflected Castagnoli polynomial. */
  private static final int POLYNOMIAL = 0x82f63b78;

  /** By i, the map of 2^i zero bytes, one word for each bit of the register. */
  private static final int[][] POWERS = powers();

  private Crc32cZeros() {}

  /** The CRC after appending zero bytes. */
  public static int append(int crc, long zeros) {
    return ~shift(~crc, zeros);
  }

  /** The register of a CRC after zero bytes; linear over GF(2). */
  static int shift(int register, long zeros) {
    int shifted = register;
    for (long left = zeros; left != 0; left &= left - 1) {
      shifted = times(POWERS[Long.numberOfTrailingZeros(left)], shifted);
    }
    return shifted;
  }

  private static int[][] powers() {
    int[] bit = new int[32];
    bit[0] = POLYNOMIAL;
    for (int i = 1; i < 32; i++) {
      bit[i] = 1 << (i - 1);
    }
    int[][] powers = new int[63][];
    powers[0] = square(square(square(bit)));
    for (int i = 1; i < powers.length; i++) {
      powers[i] = square(powers[i - 1]);
    }
    return powers;
  }

  private static int times(int[] operator, int vector) {
    int sum = 0;
    for (int left = vector; left != 0; left &= left - 1) {
      sum ^= operator[Integer.numberOfTrailingZeros(left)];
    }
    return sum;
  }

  private static int[] square(int[] operator) {
    int[] out = new int[32];
    for (int i = 0; i < 32; i++) {
      out[i] = times(operator, operator[i]);
    }
    return out;
  }
}
