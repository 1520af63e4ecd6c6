package org.braid.placement.flow;

import java.util.Arrays;

/**
 * Solves the assignment problem: gives each row a column of its own so that the sum of the gains is
 * highest.
 */
public final class HungarianMethod {
  private HungarianMethod() {}

  /**
   * The column of each row, in O(rows^2 x columns) steps.
   *
   * @param gain the gain of each row in each column; no more rows than columns
   */
  public static int[] best(int[][] gain) {
    int rows = gain.length;
    int columns = gain[0].length;
    int[] rowPotential = new int[rows + 1];
    int[] columnPotential = new int[columns + 1];
    int[] rowOf = new int[columns + 1]; // 0 is no row; column 0 holds the row to be placed
    for (int row = 1; row <= rows; row++) {
      rowOf[0] = row;
      int[] slack = new int[columns + 1];
      Arrays.fill(slack, Integer.MAX_VALUE);
      int[] before = new int[columns + 1];
      boolean[] done = new boolean[columns + 1];
      int column = 0;
      while (rowOf[column] != 0) {
        done[column] = true;
        int current = rowOf[column];
        int next = 0;
        int least = Integer.MAX_VALUE;
        for (int c = 1; c <= columns; c++) {
          if (!done[c]) {
            int reduced = -gain[current - 1][c - 1] - rowPotential[current] - columnPotential[c];
            if (reduced < slack[c]) {
              slack[c] = reduced;
              before[c] = column;
            }
            if (slack[c] < least) {
              least = slack[c];
              next = c;
            }
          }
        }
        for (int c = 0; c <= columns; c++) {
          if (done[c]) {
            rowPotential[rowOf[c]] += least;
            columnPotential[c] -= least;
          } else if (slack[c] != Integer.MAX_VALUE) {
            slack[c] -= least;
          }
        }
        column = next;
      }
      while (column != 0) {
        rowOf[column] = rowOf[before[column]];
        column = before[column];
      }
    }
    int[] columnOf = new int[rows];
    for (int c = 1; c <= columns; c++) {
      if (rowOf[c] != 0) {
        columnOf[rowOf[c] - 1] = c - 1;
      }
    }
    return columnOf;
  }
}
