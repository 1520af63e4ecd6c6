package org.braid.code;

/**
 * The field GF(2^8) with the polynomial x^8+x^4+x^3+x^2+1 (0x11d), as in HDFS and ISA-L. Elements
 * are ints 0..255; addition is XOR.
 */
public final class Gf256 {
  /** The reduction polynomial. */
  public static final int POLYNOMIAL = 0x11d;

  private static final int[] LOG = new int[256];
  private static final int[] EXP = new int[510];

  /** The products of each factor with all elements; a row fits into the first-level cache. */
  private static final byte[][] PRODUCTS = new byte[256][256];

  static {
    int x = 1;
    for (int i = 0; i < 255; i++) {
      EXP[i] = x;
      EXP[i + 255] = x;
      LOG[x] = i;
      x <<= 1;
      if (x > 255) {
        x ^= POLYNOMIAL;
      }
    }
    for (int a = 1; a < 256; a++) {
      for (int b = 1; b < 256; b++) {
        PRODUCTS[a][b] = (byte) EXP[LOG[a] + LOG[b]];
      }
    }
  }

  private Gf256() {}

  /** The product of two elements. */
  public static int multiply(int a, int b) {
    return a == 0 || b == 0 ? 0 : EXP[LOG[a] + LOG[b]];
  }

  /** The inverse of a non-zero element. */
  public static int inverse(int a) {
    if (a == 0) {
      throw new ArithmeticException("0 has no inverse in GF(2^8)");
    }
    return EXP[255 - LOG[a]];
  }

  /** The quotient a / b; b must not be zero. */
  public static int divide(int a, int b) {
    return multiply(a, inverse(b));
  }

  /**
   * Adds a multiple of one vector to another: target[targetAt + i] += factor * source[sourceAt + i]
   * for i in 0..length-1. Elements are bytes.
   */
  public static void multiplyAdd(
      int factor, byte[] source, int sourceAt, byte[] target, int targetAt, int length) {
    if (factor == 0) {
      return;
    }
    byte[] products = PRODUCTS[factor];
    for (int i = 0; i < length; i++) {
      target[targetAt + i] ^= products[source[sourceAt + i] & 0xff];
    }
  }

  /** Adds a multiple of one vector to another of the same length, at some places only. */
  public static void multiplyAdd(int factor, byte[] source, byte[] target, int[] places) {
    byte[] products = PRODUCTS[factor];
    for (int i : places) {
      target[i] ^= products[source[i] & 0xff];
    }
  }

  /** Multiplies the first elements of a vector by a factor, in place. */
  public static void scale(int factor, byte[] vector, int length) {
    byte[] products = PRODUCTS[factor];
    for (int i = 0; i < length; i++) {
      vector[i] = products[vector[i] & 0xff];
    }
  }
}
