package org.braid.plan.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.braid.code.Gf256;

/**
 * A basis of the rows of a matrix over GF(2^8).
 *
 * @param rows indexes of the basis rows: the first independent ones
 * @param of for each row of the matrix, its coefficients over the basis by index in {@code rows};
 *     without zeros
 */
record RowBasis(List<Integer> rows, List<Map<Integer, Integer>> of) {
  RowBasis {
    rows = List.copyOf(rows);
    of = List.copyOf(of);
  }

  int rank() {
    return rows.size();
  }

  /** A row of the elimination: {@code values = origin * basis rows}, and 1 at the pivot. */
  private record Reduced(int pivot, int[] values, int[] origin) {}

  static RowBasis of(int[][] matrix) {
    if (matrix.length == 1 && firstNonZero(matrix[0]) >= 0) {
      return new RowBasis(List.of(0), List.of(Map.of(0, 1)));
    }
    List<Integer> rows = new ArrayList<>();
    List<Reduced> reduced = new ArrayList<>();
    List<Map<Integer, Integer>> of = new ArrayList<>();
    for (int r = 0; r < matrix.length; r++) {
      int[] rest = matrix[r].clone();
      int[] origin = new int[matrix.length];
      for (Reduced known : reduced) {
        int factor = rest[known.pivot()];
        if (factor != 0) {
          addTo(rest, factor, known.values());
          addTo(origin, factor, known.origin());
        }
      }
      int pivot = firstNonZero(rest);
      if (pivot < 0) {
        of.add(sparse(origin));
        continue;
      }
      origin[rows.size()] = 1;
      int inverse = Gf256.inverse(rest[pivot]);
      reduced.add(new Reduced(pivot, scaled(rest, inverse), scaled(origin, inverse)));
      of.add(Map.of(rows.size(), 1));
      rows.add(r);
    }
    return new RowBasis(rows, of);
  }

  private static void addTo(int[] sum, int factor, int[] row) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] ^= row[i] == 0 ? 0 : Gf256.multiply(factor, row[i]);
    }
  }

  private static int[] scaled(int[] row, int factor) {
    int[] scaled = new int[row.length];
    addTo(scaled, factor, row);
    return scaled;
  }

  private static int firstNonZero(int[] row) {
    for (int i = 0; i < row.length; i++) {
      if (row[i] != 0) {
        return i;
      }
    }
    return -1;
  }

  private static Map<Integer, Integer> sparse(int[] row) {
    Map<Integer, Integer> sparse = new TreeMap<>();
    for (int i = 0; i < row.length; i++) {
      if (row[i] != 0) {
        sparse.put(i, row[i]);
      }
    }
    return sparse;
  }
}
