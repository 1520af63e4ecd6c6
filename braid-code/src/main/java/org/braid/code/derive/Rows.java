package org.braid.code.derive;

import org.braid.code.Gf256;

/** Row operations over GF(2^8) on byte arrays, for searches that do very many of them. */
final class Rows {
  private static final byte[][] PRODUCTS = new byte[256][256];

  static {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        PRODUCTS[a][b] = (byte) Gf256.multiply(a, b);
      }
    }
  }

  private Rows() {}

  /** Adds a multiple of a row to another. */
  static void add(byte[] target, byte[] source, int factor) {
    byte[] products = PRODUCTS[factor];
    for (int i = 0; i < target.length; i++) {
      target[i] ^= products[source[i] & 0xff];
    }
  }

  /** Adds a multiple of a row that is zero at all but some places. */
  static void add(byte[] target, byte[] source, int factor, int[] places) {
    byte[] products = PRODUCTS[factor];
    for (int i : places) {
      target[i] ^= products[source[i] & 0xff];
    }
  }

  /** Divides a row by one of its values, which then is 1. */
  static void normalise(byte[] row, int column) {
    byte[] products = PRODUCTS[Gf256.inverse(row[column] & 0xff)];
    for (int i = 0; i < row.length; i++) {
      row[i] = products[row[i] & 0xff];
    }
  }

  /** Clears a column of a row with a row that has a 1 there. */
  static void clear(byte[] row, byte[] pivot, int column) {
    if (row[column] != 0) {
      add(row, pivot, row[column] & 0xff);
    }
  }
}
