package org.braid.code.derive;

import java.util.Arrays;

/**
 * A row that clears a column from others.
 *
 * @param row its values; 1 in the column
 * @param column what it clears
 * @param places where it is not zero, if that is at few places only; else empty
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never a key
record Pivot(byte[] row, int column, int[] places) {
  /** One place in so many is few. */
  private static final int FEW = 8;

  /** Makes a pivot of a row that has a value in the column, and that nobody else has. */
  static Pivot of(byte[] row, int column) {
    Rows.normalise(row, column);
    int[] places = new int[row.length / FEW];
    int count = 0;
    for (int i = 0; i < row.length; i++) {
      if (row[i] != 0) {
        if (count == places.length) {
          return new Pivot(row, column, new int[0]);
        }
        places[count++] = i;
      }
    }
    return new Pivot(row, column, Arrays.copyOf(places, count));
  }

  /** Clears the column of another row. */
  void clear(byte[] other) {
    if (other[column] == 0) {
      return;
    }
    int factor = other[column] & 0xff;
    if (places.length == 0) {
      Rows.add(other, row, factor);
    } else {
      Rows.add(other, row, factor, places);
    }
  }
}
