package org.braid.hdfs.coordinator;

/**
 * The CRC-32C of bytes followed by zeros, from the CRC of the bytes alone: a short block is read as
 * if zeros filled it up to the stripe's length, but what is recorded is the CRC of its content.
 *
 * <p>Appending a zero bit is linear over GF(2); powers of that map are squared, so that n zeros
 * cost log n steps.
 */
final class Crc32cZeros {
  /** The reflected Castagnoli polynomial. */
  private static final int POLYNOMIAL = 0x82f63b78;

  private Crc32cZeros() {}

  /** The CRC of some bytes and then this many zero bytes. */
  static int append(int crc, long zeros) {
    int[] operator = new int[32];
    operator[0] = POLYNOMIAL;
    for (int i = 1; i < 32; i++) {
      operator[i] = 1 << (i - 1);
    }
    // From one zero bit to one zero byte.
    for (int i = 0; i < 3; i++) {
      operator = square(operator);
    }
    int register = ~crc;
    for (long left = zeros; left != 0; left >>>= 1) {
      if ((left & 1) != 0) {
        register = times(operator, register);
      }
      operator = square(operator);
    }
    return ~register;
  }

  private static int times(int[] operator, int vector) {
    int sum = 0;
    for (int i = 0; i < 32; i++) {
      if ((vector >>> i & 1) != 0) {
        sum ^= operator[i];
      }
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
