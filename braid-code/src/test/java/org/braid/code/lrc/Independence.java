package org.braid.code.lrc;

import org.braid.code.Gf256;

/** Vectors over GF(2^8) that are added one after another as long as they are independent. */
final class Independence {
  private static final byte[] PRODUCTS = new byte[1 << 16];
  private static final int[] INVERSES = new int[256];

  static {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        PRODUCTS[a << 8 | b] = (byte) Gf256.multiply(a, b);
      }
      INVERSES[a] = a == 0 ? 0 : Gf256.inverse(a);
    }
  }

  private final int width;
  private final int[][] basis;
  private final int[] pivots;

  /** A vector that is orthogonal to all of the basis but the last; good when there are those. */
  private final int[] normal;

  Independence(int width) {
    this.width = width;
    this.basis = new int[width][width];
    this.pivots = new int[width];
    this.normal = new int[width];
  }

  /** The product, from a table. */
  static int product(int a, int b) {
    return PRODUCTS[a << 8 | b] & 0xff;
  }

  /** The inverse, from a table; of zero, zero. */
  static int inverse(int a) {
    return INVERSES[a];
  }

  /** The sum, which is the difference. */
  static int[] sum(int[] a, int[] b) {
    int[] out = new int[a.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = a[i] ^ b[i];
    }
    return out;
  }

  /**
   * Makes a difference the vector of a depth, in place of those at this depth and beyond.
   *
   * @return whether it is independent of those before
   */
  boolean add(int depth, int[] a, int[] b) {
    if (depth == width - 1) {
      // the last one is not kept: all that counts is whether it leaves the span of the others
      int product = 0;
      for (int i = 0; i < width; i++) {
        product ^= PRODUCTS[normal[i] << 8 | (a[i] ^ b[i])];
      }
      return product != 0;
    }
    int[] vector = basis[depth];
    for (int i = 0; i < width; i++) {
      vector[i] = a[i] ^ b[i];
    }
    for (int r = 0; r < depth; r++) {
      int factor = vector[pivots[r]];
      for (int i = 0; factor != 0 && i < width; i++) {
        vector[i] ^= product(factor, basis[r][i]);
      }
    }
    int pivot = 0;
    while (pivot < width && vector[pivot] == 0) {
      pivot++;
    }
    if (pivot == width) {
      return false;
    }
    int scale = INVERSES[vector[pivot]];
    for (int i = 0; i < width; i++) {
      vector[i] = product(scale, vector[i]);
    }
    pivots[depth] = pivot;
    if (depth == width - 2) {
      orthogonal();
    }
    return true;
  }

  /** Row r is zero at the pivots of the rows before it, so the last row is solved first. */
  private void orthogonal() {
    int free = width * (width - 1) / 2;
    for (int r = 0; r < width - 1; r++) {
      free -= pivots[r];
      normal[pivots[r]] = 0;
    }
    normal[free] = 1;
    for (int r = width - 2; r >= 0; r--) {
      int value = 0;
      for (int i = 0; i < width; i++) {
        value ^= product(basis[r][i], normal[i]);
      }
      normal[pivots[r]] = value;
    }
  }
}
