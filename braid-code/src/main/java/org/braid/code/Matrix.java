package org.braid.code;

import java.util.Arrays;
import java.util.Optional;

/** An immutable matrix over GF(2^8). */
public final class Matrix {
  private final int rows;
  private final int columns;
  private final byte[] values;

  private Matrix(int rows, int columns, byte[] values) {
    this.rows = rows;
    this.columns = columns;
    this.values = values;
  }

  /**
   * A matrix from its values, row by row.
   *
   * @param values rows*columns values, 0..255
   */
  public static Matrix of(int rows, int columns, int... values) {
    if (rows < 0 || columns < 0 || values.length != rows * columns) {
      throw new IllegalArgumentException(
          "a matrix of " + rows + " x " + columns + " has no " + values.length + " values");
    }
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      if ((values[i] & ~0xff) != 0) {
        throw new IllegalArgumentException("not a byte: " + values[i]);
      }
      bytes[i] = (byte) values[i];
    }
    return new Matrix(rows, columns, bytes);
  }

  /** The identity of a size. */
  public static Matrix identity(int size) {
    byte[] bytes = new byte[size * size];
    for (int i = 0; i < size; i++) {
      bytes[i * size + i] = 1;
    }
    return new Matrix(size, size, bytes);
  }

  /** A systematic generator: the identity over parity rows of as many columns. */
  public static Matrix systematic(Matrix parity) {
    int width = parity.columns;
    byte[] bytes = Arrays.copyOf(identity(width).values, (width + parity.rows) * width);
    System.arraycopy(parity.values, 0, bytes, width * width, parity.values.length);
    return new Matrix(width + parity.rows, width, bytes);
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  /** The value at a place, 0..255. */
  public int at(int row, int column) {
    return values[row * columns + column] & 0xff;
  }

  /** A copy of one row, values 0..255. */
  public int[] row(int row) {
    int[] out = new int[columns];
    for (int c = 0; c < columns; c++) {
      out[c] = at(row, c);
    }
    return out;
  }

  /** The matrix of some rows, in the order named. */
  public Matrix select(int... chosen) {
    byte[] bytes = new byte[chosen.length * columns];
    for (int i = 0; i < chosen.length; i++) {
      System.arraycopy(values, chosen[i] * columns, bytes, i * columns, columns);
    }
    return new Matrix(chosen.length, columns, bytes);
  }

  /** The product; this.columns() must equal other.rows(). */
  public Matrix times(Matrix other) {
    if (columns != other.rows) {
      throw new IllegalArgumentException(
          rows + " x " + columns + " times " + other.rows + " x " + other.columns);
    }
    byte[] bytes = new byte[rows * other.columns];
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < columns; i++) {
        int factor = at(r, i);
        for (int c = 0; factor != 0 && c < other.columns; c++) {
          bytes[r * other.columns + c] ^= (byte) Gf256.multiply(factor, other.at(i, c));
        }
      }
    }
    return new Matrix(rows, other.columns, bytes);
  }

  /** The inverse of a square matrix, empty when it is singular. */
  public Optional<Matrix> inverse() {
    if (rows != columns) {
      throw new IllegalArgumentException(rows + " x " + columns + " has no inverse");
    }
    int[][] work = new int[rows][2 * rows];
    for (int r = 0; r < rows; r++) {
      System.arraycopy(row(r), 0, work[r], 0, rows);
      work[r][rows + r] = 1;
    }
    if (eliminate(work, rows) < rows) {
      return Optional.empty();
    }
    byte[] bytes = new byte[rows * rows];
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < rows; c++) {
        bytes[r * rows + c] = (byte) work[r][rows + c];
      }
    }
    return Optional.of(new Matrix(rows, rows, bytes));
  }

  /** The rank. */
  public int rank() {
    int[][] work = new int[rows][];
    for (int r = 0; r < rows; r++) {
      work[r] = row(r);
    }
    return eliminate(work, columns);
  }

  /** Gauss-Jordan elimination over the first columns; returns the rank. */
  private static int eliminate(int[][] work, int pivots) {
    int rank = 0;
    for (int c = 0; c < pivots && rank < work.length; c++) {
      int found = rank;
      while (found < work.length && work[found][c] == 0) {
        found++;
      }
      if (found == work.length) {
        continue;
      }
      int[] pivot = work[found];
      work[found] = work[rank];
      work[rank] = pivot;
      int scale = Gf256.inverse(pivot[c]);
      for (int i = 0; i < pivot.length; i++) {
        pivot[i] = Gf256.multiply(scale, pivot[i]);
      }
      for (int r = 0; r < work.length; r++) {
        int factor = work[r][c];
        for (int i = 0; r != rank && factor != 0 && i < pivot.length; i++) {
          work[r][i] ^= Gf256.multiply(factor, pivot[i]);
        }
      }
      rank++;
    }
    return rank;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Matrix m
        && rows == m.rows
        && columns == m.columns
        && Arrays.equals(values, m.values);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * rows + columns) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(rows + " x " + columns);
    for (int r = 0; r < rows; r++) {
      text.append(r == 0 ? " " : "; ").append(Arrays.toString(row(r)));
    }
    return text.toString();
  }
}
