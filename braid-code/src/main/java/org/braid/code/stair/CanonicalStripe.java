package org.braid.code.stair;

import java.util.ArrayList;
import java.util.List;
import org.braid.code.Gf256;
import org.braid.code.Matrix;

/**
 * The canonical stripe: r + max(e) - l rows and n + m' columns of cells, with the stored blocks at
 * the top left. Every row is a codeword of the row code, every column a codeword of the column
 * code, and a stair of cells at the bottom right is zero (section III-C).
 */
final class CanonicalStripe {
  private final StairSettings settings;
  private final MdsCode rowCode;
  private final MdsCode columnCode;

  /** The block of each real cell, by row and column. */
  private final int[][] blocks;

  /** The row and column of each block. */
  private final List<int[]> cells = new ArrayList<>();

  private final int globals;

  CanonicalStripe(StairSettings settings) {
    this.settings = settings;
    this.rowCode =
        new MdsCode(settings.n() - settings.m(), settings.n() + settings.virtualColumns());
    this.columnCode =
        new MdsCode(settings.r() - settings.l(), settings.r() + settings.virtualRows());
    this.blocks = new int[settings.r()][settings.n()];
    int top = settings.r() - settings.l();
    int left = settings.n() - settings.m();
    number(0, top, 0, left, false);
    number(top, settings.r(), 0, left, false);
    int before = cells.size();
    number(0, top, 0, left, true);
    this.globals = cells.size() - before;
    number(0, settings.r(), left, settings.n(), false);
  }

  /** Numbers the cells of a rectangle row by row: only its global parities, or all others. */
  private void number(int top, int bottom, int left, int right, boolean global) {
    for (int row = top; row < bottom; row++) {
      for (int column = left; column < right; column++) {
        if (isGlobal(row, column) == global) {
          blocks[row][column] = cells.size();
          cells.add(new int[] {row, column});
        }
      }
    }
  }

  /** Rack n - m - m' + j has e_j - l global parities, directly above its vertical ones. */
  private boolean isGlobal(int row, int column) {
    int j = column - (settings.n() - settings.m() - settings.virtualColumns());
    return j >= 0
        && j < settings.virtualColumns()
        && row >= settings.r() - settings.e().get(j)
        && row < settings.r() - settings.l();
  }

  StairSettings settings() {
    return settings;
  }

  MdsCode rowCode() {
    return rowCode;
  }

  MdsCode columnCode() {
    return columnCode;
  }

  /** Rows of the canonical stripe. */
  int rows() {
    return settings.r() + settings.virtualRows();
  }

  /** Columns of the canonical stripe. */
  int columns() {
    return settings.n() + settings.virtualColumns();
  }

  boolean isReal(int row, int column) {
    return row < settings.r() && column < settings.n();
  }

  /** Whether a cell is zero by definition: the lowest e_j - l cells of virtual column j. */
  boolean isZero(int row, int column) {
    int j = column - settings.n();
    return j >= 0 && row >= rows() - (settings.e().get(j) - settings.l());
  }

  /** The block of a real cell. */
  int block(int row, int column) {
    return blocks[row][column];
  }

  int columnOf(int block) {
    return cells.get(block)[1];
  }

  /** The number of a block's cell, row by row over the canonical stripe. */
  int cellOf(int block) {
    return cells.get(block)[0] * columns() + cells.get(block)[1];
  }

  /** The blocks of each rack, ascending. */
  List<List<Integer>> racks() {
    List<List<Integer>> racks = new ArrayList<>();
    for (int rack = 0; rack < settings.n(); rack++) {
      List<Integer> members = new ArrayList<>();
      for (int row = 0; row < settings.r(); row++) {
        members.add(blocks[row][rack]);
      }
      racks.add(members.stream().sorted().toList());
    }
    return List.copyOf(racks);
  }

  /**
   * The generator. By the two codes, the (r - l) x (n - m) cells at the top left (data and global
   * parities) determine all other cells. The zero cells determine the global parities.
   */
  Matrix generator() {
    int k = settings.k();
    List<int[]> zeros = new ArrayList<>();
    for (int row = settings.r(); row < rows(); row++) {
      for (int column = settings.n(); column < columns(); column++) {
        if (isZero(row, column)) {
          zeros.add(new int[] {row, column});
        }
      }
    }
    int firstGlobal = k + settings.l() * (settings.n() - settings.m());
    Matrix solved =
        weights(zeros, cells.subList(firstGlobal, firstGlobal + globals))
            .inverse()
            .orElseThrow(() -> new IllegalStateException("the global parities are not determined"))
            .times(weights(zeros, cells.subList(0, k)));
    List<int[]> information = new ArrayList<>(cells.subList(0, k));
    information.addAll(cells.subList(firstGlobal, firstGlobal + globals));
    int[] values = new int[(k + globals) * k];
    for (int i = 0; i < k + globals; i++) {
      for (int c = 0; c < k; c++) {
        values[i * k + c] = i < k ? (i == c ? 1 : 0) : solved.at(i - k, c);
      }
    }
    return weights(cells, information).times(Matrix.of(k + globals, k, values));
  }

  /** The coefficients of cells of the product code in terms of information cells. */
  private Matrix weights(List<int[]> wanted, List<int[]> information) {
    int[] values = new int[wanted.size() * information.size()];
    for (int i = 0; i < wanted.size(); i++) {
      for (int j = 0; j < information.size(); j++) {
        values[i * information.size() + j] =
            Gf256.multiply(
                columnCode.at(wanted.get(i)[0], information.get(j)[0]),
                rowCode.at(wanted.get(i)[1], information.get(j)[1]));
      }
    }
    return Matrix.of(wanted.size(), information.size(), values);
  }
}
