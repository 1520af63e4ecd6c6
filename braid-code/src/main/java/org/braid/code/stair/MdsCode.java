package org.braid.code.stair;

import org.braid.code.Gf256;
import org.braid.code.Matrix;

/**
 * A systematic MDS code, used as row and column code of a canonical stripe: any {@code dimension}
 * symbols of a codeword determine the others.
 *
 * <p>Its parity rows are the Cauchy matrix of {@link org.braid.code.rs.ReedSolomon} with each
 * column scaled so that the first parity row is all ones: every square part stays invertible, and
 * the first parity, by which a rack repairs its single loss, is plain XOR.
 */
final class MdsCode {
  private final int dimension;
  private final Matrix generator;

  MdsCode(int dimension, int length) {
    this.dimension = dimension;
    int[] values = new int[length * dimension];
    for (int row = 0; row < length; row++) {
      for (int column = 0; column < dimension; column++) {
        values[row * dimension + column] =
            row < dimension
                ? (row == column ? 1 : 0)
                : Gf256.divide(dimension ^ column, row ^ column);
      }
    }
    this.generator = Matrix.of(length, dimension, values);
  }

  /** Number of symbols that determine a codeword. */
  int dimension() {
    return dimension;
  }

  /** The coefficient of an information symbol in a symbol of the codeword. */
  int at(int symbol, int information) {
    return generator.at(symbol, information);
  }

  /**
   * Symbols as combinations of other symbols.
   *
   * @param targets positions of the wanted symbols
   * @param sources positions of {@link #dimension} distinct symbols
   * @return a row for each target, a column for each source; non-zero where the target is not a
   *     source
   */
  Matrix combination(int[] targets, int[] sources) {
    Matrix inverse =
        generator
            .select(sources)
            .inverse()
            .orElseThrow(() -> new IllegalStateException("an MDS code has no such positions"));
    return generator.select(targets).times(inverse);
  }
}
