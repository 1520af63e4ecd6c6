package org.braid.engine;

/**
 * The CRC-32C of bytes followed by zeros, from the CRC of the bytes alone: a short block is read as
 * if zeros filled it up to the stripe's length, but what is recorded is the CRC of its content.
 *
 * <p>Appending a zero byte is linear over GF(2); the squares of that map are kept, so that n zeros
 * cost log n steps.
 */
public final class Crc32cZeros {
  /** The reflected Castagnoli polynomial. */
  private static final int POLYNOMIAL = 0x82f63b78;

  /** By i, the map of 2^i zero bytes: what becomes of each bit of the register. */
  private static final int[][] POWERS = powers();

  private Crc32cZeros() {}

  /** The CRC of some bytes and then this many zero bytes. */
  public static int append(int crc, long zeros) {
    return ~shift(~crc, zeros);
  }

  /** What zero bytes make of a CRC's register; linear over GF(2). */
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
