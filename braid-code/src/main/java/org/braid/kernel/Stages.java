package org.braid.kernel;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.Matrix;

/** What every kernel needs to know of the stages of a pipeline. */
final class Stages {
  /** The caller's places that a stage reads before any stage has made them, ascending. */
  final int[] loads;

  /** The caller's places that stages make, ascending. */
  final int[] stores;

  /** All places, scratch among them. */
  final int places;

  /** The caller's buffers. */
  final int buffers;

  /**
   * Looks through stages.
   *
   * @throws IllegalArgumentException when one reads scratch that none before it made, or makes a
   *     place that one before it read or made
   */
  Stages(int buffers, List<Stage> stages) {
    BitSet read = new BitSet();
    BitSet made = new BitSet();
    for (Stage stage : stages) {
      for (int source : stage.sources()) {
        if (source >= buffers && !made.get(source)) {
          throw new IllegalArgumentException("scratch place " + source + " is read but not made");
        }
        if (!made.get(source)) {
          read.set(source);
        }
      }
      for (int target : stage.targets()) {
        if (read.get(target) || made.get(target)) {
          throw new IllegalArgumentException(
              "place " + target + " is made after it was read or made");
        }
        made.set(target);
      }
    }
    this.buffers = buffers;
    this.places = Math.max(buffers, made.length());
    this.loads = read.stream().toArray();
    this.stores = made.stream().filter(p -> p < buffers).toArray();
  }

  /** A transform as one stage: inputs first, then outputs. */
  static Stage of(Matrix coefficients) {
    int inputs = coefficients.columns();
    return new Stage(
        coefficients,
        IntStream.range(0, inputs).boxed().toList(),
        IntStream.range(inputs, inputs + coefficients.rows()).boxed().toList());
  }

  /** A row that is the plain sum of some sources, for which there are faster instructions. */
  static boolean isSum(Matrix coefficients, int row) {
    int ones = 0;
    for (int c = 0; c < coefficients.columns(); c++) {
      int coefficient = coefficients.at(row, c);
      if (coefficient > 1) {
        return false;
      }
      ones += coefficient;
    }
    return ones > 1;
  }

  /** The columns that are not zero in all of some rows. */
  static int[] columns(Matrix coefficients, int... rows) {
    return IntStream.range(0, coefficients.columns())
        .filter(c -> IntStream.of(rows).anyMatch(r -> coefficients.at(r, c) != 0))
        .toArray();
  }

  /** Some rows and columns of a matrix. */
  static Matrix select(Matrix coefficients, int[] rows, int[] columns) {
    int[] values = new int[rows.length * columns.length];
    for (int r = 0; r < rows.length; r++) {
      for (int c = 0; c < columns.length; c++) {
        values[r * columns.length + c] = coefficients.at(rows[r], columns[c]);
      }
    }
    return Matrix.of(rows.length, columns.length, values);
  }

  /** The elements of a list at some indices. */
  static int[] pick(List<Integer> list, int[] indices) {
    return IntStream.of(indices).map(list::get).toArray();
  }
}
