package org.braid.code.rotated;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.braid.code.Gf256;
import org.braid.code.Matrix;
import org.braid.code.Promises.Combinations;

/**
 * The coefficients g(j, i) of parity j and data block i: columns of a Cauchy matrix, scaled to a
 * first row of ones, that keep every minor of the rotated matrix invertible.
 */
final class Coefficients {
  private final RotatedRsSettings settings;
  private byte[][] minor = new byte[0][];

  /** Columns accepted so far, each with m coefficients. */
  private final List<int[]> columns = new ArrayList<>();

  private Coefficients(RotatedRsSettings settings) {
    this.settings = settings;
  }

  /**
   * The columns for k data blocks, in order.
   *
   * @throws IllegalArgumentException when GF(2^8) does not have enough of them
   */
  static List<int[]> of(RotatedRsSettings settings) {
    Coefficients coefficients = new Coefficients(settings);
    for (int point = settings.m(); point < 256; point++) {
      if (coefficients.columns.size() == settings.k()) {
        break;
      }
      coefficients.offer(cauchyColumn(settings.m(), point));
    }
    if (coefficients.columns.size() < settings.k()) {
      throw new IllegalArgumentException(
          "k = "
              + settings.k()
              + ", m = "
              + settings.m()
              + ", r = "
              + settings.r()
              + ": the Cauchy matrices over GF(2^8) let only "
              + coefficients.columns.size()
              + " data blocks survive any "
              + settings.m()
              + " losses; take fewer, or a power of two for r");
    }
    return coefficients.columns;
  }

  private static int[] cauchyColumn(int m, int point) {
    return IntStream.range(0, m).map(j -> Gf256.divide(point, point ^ j)).toArray();
  }

  private void offer(int[] column) {
    columns.add(column);
    int oddPart = settings.r() >> Integer.numberOfTrailingZeros(settings.r());
    // x^r - 1 has the factors of x^q - 1 for the odd part q of r; for q = 1 Cauchy is enough.
    if (oddPart > 1 && !newMinorsAreInvertible(oddPart)) {
      columns.remove(columns.size() - 1);
    }
  }

  /** Whether every minor with the newest column is invertible. */
  private boolean newMinorsAreInvertible(int rows) {
    int newest = columns.size() - 1;
    for (int size = 1; size <= Math.min(settings.m(), columns.size()); size++) {
      boolean[] all = {true};
      Combinations parities = new Combinations(settings.m(), size);
      Predicate<List<Integer>> others =
          chosen -> {
            List<Integer> blocks = new ArrayList<>(chosen);
            blocks.add(newest);
            parities.each(
                p -> {
                  all[0] = isInvertible(p, blocks, rows);
                  return all[0];
                });
            return all[0];
          };
      new Combinations(newest, size - 1).each(others);
      if (!all[0]) {
        return false;
      }
    }
    return true;
  }

  private boolean isInvertible(List<Integer> parities, List<Integer> blocks, int rows) {
    int side = parities.size() * rows;
    if (minor.length != side) {
      minor = new byte[side][side];
    }
    for (byte[] row : minor) {
      Arrays.fill(row, (byte) 0);
    }
    for (int p = 0; p < parities.size(); p++) {
      for (int c = 0; c < blocks.size(); c++) {
        int parity = parities.get(p);
        int block = blocks.get(c);
        int shift = block < settings.boundary(parity) ? 1 : 0;
        for (int b = 0; b < rows; b++) {
          int column = c * rows + (b + shift) % rows;
          minor[p * rows + b][column] = (byte) columns.get(block)[parity];
        }
      }
    }
    return Matrix.isInvertible(minor);
  }
}
