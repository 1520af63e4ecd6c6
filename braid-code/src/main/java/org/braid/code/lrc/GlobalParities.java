package org.braid.code.lrc;

import org.braid.code.Gf256;

/**
 * The coefficients of the global parities of an LRC; the parameters decide which construction.
 *
 * @param maximallyRecoverable whether the code is maximally recoverable
 * @param rows by global parity and data block
 */
@SuppressWarnings("ArrayRecordComponent") // private to the package, never compared
record GlobalParities(boolean maximallyRecoverable, int[][] rows) {
  /** Number of non-zero elements of the subfield GF(16) of GF(2^8): the powers of 2^17. */
  private static final int SUBFIELD = 15;

  /** Number of multiples of GF(16), by 2^0..2^16, that cover GF(2^8) and share only zero. */
  private static final int SPREAD = 17;

  static GlobalParities of(LrcSettings settings) {
    int s = settings.groupSize();
    if (settings.l() == 1 || s == 1 || settings.g() == 1) {
      return new GlobalParities(true, cauchy(settings));
    }
    if (settings.g() == 2 && settings.l() <= SPREAD && s <= SUBFIELD) {
      return new GlobalParities(true, spread(settings));
    }
    int[][] found = FoundCoefficients.rows(settings);
    return found.length > 0
        ? new GlobalParities(true, found)
        : new GlobalParities(false, cauchy(settings));
  }

  int coefficient(int parity, int data) {
    return rows[parity][data];
  }

  /**
   * Rows 1..g of a Cauchy matrix with g+1 rows, columns scaled so that row 0 is all ones. Every
   * square part stays invertible, and the local parities sum up to row 0.
   */
  private static int[][] cauchy(LrcSettings settings) {
    int k = settings.k();
    int[][] rows = new int[settings.g()][k];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < k; j++) {
        rows[i][j] = Gf256.divide(k ^ j, (k + 1 + i) ^ j);
      }
    }
    return rows;
  }

  /**
   * Elements and their squares. The elements of group a are 2^a times the non-zero elements of
   * GF(16). With zero they form a subspace over GF(2), and any two of these share only zero.
   */
  private static int[][] spread(LrcSettings settings) {
    int[][] rows = new int[2][settings.k()];
    for (int j = 0; j < settings.k(); j++) {
      int group = j / settings.groupSize();
      int element = power(group + SPREAD * (j % settings.groupSize()));
      rows[0][j] = element;
      rows[1][j] = Gf256.multiply(element, element);
    }
    return rows;
  }

  private static int power(int exponent) {
    int value = 1;
    for (int i = 0; i < exponent; i++) {
      value = Gf256.multiply(value, 2);
    }
    return value;
  }
}
