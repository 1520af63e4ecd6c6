package org.braid.code;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A sequence of linear combinations that computes sub-blocks from the data, later steps from the
 * results of earlier ones. It is how structured codes encode with fewer multiplications than their
 * generator has entries.
 *
 * @param name for example {@code upstairs}
 * @param steps in order; a target with a block number from n on is a scratch value that is stored
 *     nowhere
 */
public record Schedule(String name, List<Equation> steps) {
  public Schedule {
    steps = List.copyOf(steps);
  }

  /** The schedule that is the generator itself: one step for each parity sub-block. */
  public static Schedule generator(ErasureCode code) {
    int width = code.k() * code.alpha();
    List<Equation> steps = new ArrayList<>();
    for (int row = width; row < code.n() * code.alpha(); row++) {
      List<Term> terms = new ArrayList<>();
      for (int c = 0; c < width; c++) {
        int coefficient = code.generator().at(row, c);
        if (coefficient != 0) {
          terms.add(new Term(new SubBlock(c / code.alpha(), c % code.alpha()), coefficient));
        }
      }
      steps.add(new Equation(new SubBlock(row / code.alpha(), row % code.alpha()), terms));
    }
    return new Schedule("matrix", steps);
  }

  /** Multiply-and-add steps a byte takes: the number of terms. */
  public int terms() {
    return steps.stream().mapToInt(e -> e.terms().size()).sum();
  }

  /** The number of block places the schedule works on: n of the code, and scratch beyond them. */
  public int places(ErasureCode code) {
    return Math.max(code.n(), steps.stream().mapToInt(e -> e.target().block() + 1).max().orElse(0));
  }

  /**
   * Runs the schedule on coefficients instead of bytes.
   *
   * @return n*alpha rows like the generator's; equal to it exactly when the schedule is right
   * @throws IllegalArgumentException when a step uses what no step before it made, makes something
   *     twice, overwrites data, or a parity is not made at all
   */
  public Matrix rows(ErasureCode code) {
    int alpha = code.alpha();
    int width = code.k() * alpha;
    int[][] values = new int[places(code) * alpha][];
    for (int c = 0; c < width; c++) {
      values[c] = new int[width];
      values[c][c] = 1;
    }
    Set<SubBlock> made = new HashSet<>();
    for (Equation step : steps) {
      int target = code.row(step.target());
      if (target < width || !made.add(step.target())) {
        throw new IllegalArgumentException(name + " makes " + step.target() + " twice");
      }
      int[] sum = new int[width];
      for (Term term : step.terms()) {
        int[] row = values[code.row(term.source())];
        if (row == null) {
          throw new IllegalArgumentException(
              name + " uses " + term.source() + " for " + step.target() + " before it is made");
        }
        for (int c = 0; c < width; c++) {
          sum[c] ^= Gf256.multiply(term.coefficient(), row[c]);
        }
      }
      values[target] = sum;
    }
    int[] all = new int[code.n() * alpha * width];
    for (int r = 0; r < code.n() * alpha; r++) {
      if (values[r] == null) {
        throw new IllegalArgumentException(
            name + " does not make " + new SubBlock(r / alpha, r % alpha));
      }
      System.arraycopy(values[r], 0, all, r * width, width);
    }
    return Matrix.of(code.n() * alpha, width, all);
  }
}
