package org.braid.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A sequence of linear combinations that computes sub-blocks from the data. Steps may use the
 * results of earlier steps, so a structured code encodes with fewer multiplications than its
 * generator has entries.
 *
 * @param name its name, for example {@code upstairs}
 * @param steps the steps in order; a target whose block number is n or more is a scratch value
 */
public record Schedule(String name, List<Equation> steps) {
  public Schedule {
    steps = List.copyOf(steps);
  }

  /** The schedule of the generator: one step for each parity sub-block. */
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

  /** The number of terms, which is the number of multiply-and-add operations for each byte. */
  public int terms() {
    return steps.stream().mapToInt(e -> e.terms().size()).sum();
  }

  /**
   * Runs the schedule symbolically, on rows of coefficients.
   *
   * @return n*alpha rows, equal to the generator exactly when the schedule is right
   * @throws IllegalArgumentException when a step uses a sub-block that is not computed yet,
   *     computes one twice, overwrites data, or a parity is never computed
   */
  public Matrix rows(ErasureCode code) {
    return rows(code.n(), code.k(), code.alpha());
  }

  /**
   * The same for a code whose generator this schedule defines.
   *
   * @param n blocks of a stripe
   * @param k data blocks of a stripe
   * @param alpha sub-blocks of a block
   */
  public Matrix rows(int n, int k, int alpha) {
    int width = k * alpha;
    Map<SubBlock, byte[]> values = new HashMap<>();
    for (int c = 0; c < width; c++) {
      byte[] unit = new byte[width];
      unit[c] = 1;
      values.put(new SubBlock(c / alpha, c % alpha), unit);
    }
    for (Equation step : steps) {
      byte[] sum = new byte[width];
      for (Term term : step.terms()) {
        byte[] row = values.get(term.source());
        if (row == null) {
          throw new IllegalArgumentException(
              name + " uses " + term.source() + " for " + step.target() + " before it is made");
        }
        Gf256.multiplyAdd(term.coefficient(), row, 0, sum, 0, width);
      }
      if (values.put(step.target(), sum) != null) {
        throw new IllegalArgumentException(name + " makes " + step.target() + " twice");
      }
    }
    byte[] all = new byte[n * alpha * width];
    for (int r = 0; r < n * alpha; r++) {
      SubBlock stored = new SubBlock(r / alpha, r % alpha);
      byte[] row = values.get(stored);
      if (row == null) {
        throw new IllegalArgumentException(name + " does not make " + stored);
      }
      System.arraycopy(row, 0, all, r * width, width);
    }
    return Matrix.ofBytes(n * alpha, width, all);
  }
}
