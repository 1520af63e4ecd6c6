package org.braid.code.derive;

import java.util.Arrays;
import org.braid.code.Gf256;

/**
 * A pivot row, which clears a column of other rows.
 *
 * @param row its values, with 1 in the column
 * @param column the column that it clears
 * @param places its non-zero places if they are few; otherwise empty
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never a key
record Pivot(byte[] row, int column, int[] places) {
  /** At most one place in this many counts as few. */
  private static final int FEW = 8;

  /** Scales a row to 1 in the column; the caller must not use the row elsewhere. */
  static Pivot of(byte[] row, int column) {
    Gf256.scale(Gf256.inverse(row[column] & 0xff), row, row.length);
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
      Gf256.multiplyAdd(factor, row, 0, other, 0, row.length);
    } else {
      Gf256.multiplyAdd(factor, row, other, places);
    }
  }
}
