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

  /**
   * A matrix from its values as bytes, row by row.
   *
   * @param values rows*columns values; copied
   */
  public static Matrix ofBytes(int rows, int columns, byte[] values) {
    if (rows < 0 || columns < 0 || values.length != rows * columns) {
      throw new IllegalArgumentException(
          "a matrix of " + rows + " x " + columns + " has no " + values.length + " values");
    }
    return new Matrix(rows, columns, values.clone());
  }

  /** The identity matrix of a size. */
  public static Matrix identity(int size) {
    byte[] bytes = new byte[size * size];
    for (int i = 0; i < size; i++) {
      bytes[i * size + i] = 1;
    }
    return new Matrix(size, size, bytes);
  }

  /** A systematic generator: the identity above the given parity rows. */
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

  /** The value at a row and column, 0..255. */
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

  /** Copies columns from..from+length-1 of one row to a place in an array. */
  void copyRow(int row, int from, byte[] target, int at, int length) {
    System.arraycopy(values, row * columns + from, target, at, length);
  }

  /** Adds a multiple of one row to a vector of this matrix's width. */
  void addRow(int row, int factor, byte[] target) {
    Gf256.multiplyAdd(factor, values, row * columns, target, 0, columns);
  }

  /** The matrix of the chosen rows, in the given order. */
  public Matrix select(int... chosen) {
    byte[] bytes = new byte[chosen.length * columns];
    for (int i = 0; i < chosen.length; i++) {
      System.arraycopy(values, chosen[i] * columns, bytes, i * columns, columns);
    }
    return new Matrix(chosen.length, columns, bytes);
  }

  /** The matrix of the chosen rows and columns, in the given orders. */
  public Matrix select(int[] chosenRows, int[] chosenColumns) {
    byte[] bytes = new byte[chosenRows.length * chosenColumns.length];
    int at = 0;
    for (int row : chosenRows) {
      for (int column : chosenColumns) {
        bytes[at++] = values[row * columns + column];
      }
    }
    return new Matrix(chosenRows.length, chosenColumns.length, bytes);
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
        Gf256.multiplyAdd(
            at(r, i), other.values, i * other.columns, bytes, r * other.columns, other.columns);
      }
    }
    return new Matrix(rows, other.columns, bytes);
  }

  /** The inverse of a square matrix, empty when it is singular. */
  public Optional<Matrix> inverse() {
    if (rows != columns) {
      throw new IllegalArgumentException(rows + " x " + columns + " has no inverse");
    }
    byte[][] work = new byte[rows][2 * rows];
    for (int r = 0; r < rows; r++) {
      copyRow(r, 0, work[r], 0, rows);
      work[r][rows + r] = 1;
    }
    if (eliminate(work, rows) < rows) {
      return Optional.empty();
    }
    // Back substitution: the right half becomes the inverse.
    for (int c = rows - 1; c > 0; c--) {
      for (int r = 0; r < c; r++) {
        Gf256.multiplyAdd(work[r][c] & 0xff, work[c], c, work[r], c, 2 * rows - c);
      }
    }
    byte[] bytes = new byte[rows * rows];
    for (int r = 0; r < rows; r++) {
      System.arraycopy(work[r], rows, bytes, r * rows, rows);
    }
    return Optional.of(new Matrix(rows, rows, bytes));
  }

  /** The rank. */
  public int rank() {
    byte[][] work = new byte[rows][columns];
    for (int r = 0; r < rows; r++) {
      copyRow(r, 0, work[r], 0, columns);
    }
    return eliminate(work, columns);
  }

  /**
   * Whether a square matrix is invertible, where many are asked about.
   *
   * @param rows overwritten
   */
  public static boolean isInvertible(byte[][] rows) {
    return eliminate(rows, rows.length) == rows.length;
  }

  /**
   * Gaussian elimination over the first columns; returns the rank. At full rank the diagonal is one
   * and everything below it zero.
   */
  private static int eliminate(byte[][] work, int pivots) {
    int rank = 0;
    for (int c = 0; c < pivots && rank < work.length; c++) {
      int found = rank;
      while (found < work.length && work[found][c] == 0) {
        found++;
      }
      if (found == work.length) {
        continue;
      }
      byte[] pivot = work[found];
      work[found] = work[rank];
      work[rank] = pivot;
      Gf256.scale(Gf256.inverse(pivot[c] & 0xff), pivot, pivot.length);
      for (int r = found + 1; r < work.length; r++) {
        Gf256.multiplyAdd(work[r][c] & 0xff, pivot, c, work[r], c, pivot.length - c);
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
