package org.braid.code.derive;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.Matrix;

/**
 * Checks the parity of a stripe by linear hashes of its sub-blocks: the hash of a parity sub-block
 * equals the combination of the data's hashes with its row of the generator.
 *
 * @param unfit positions of the parity blocks that do not fit the data
 * @param suspects positions of the blocks each of which alone explains the mismatch: all other
 *     blocks fit each other
 */
public record ParityCheck(List<Integer> unfit, List<Integer> suspects) {
  public ParityCheck {
    unfit = List.copyOf(unfit);
    suspects = List.copyOf(suspects);
  }

  /** Whether all parity fits the data. */
  public boolean fits() {
    return unfit.isEmpty();
  }

  /**
   * Checks a stripe.
   *
   * @param hashes of each block, in the code's order, those of its alpha sub-blocks one after the
   *     other
   * @throws IllegalArgumentException when there are not as many hashes, or not of one length
   */
  public static ParityCheck of(ErasureCode code, List<byte[]> hashes) {
    int alpha = code.alpha();
    int length = hashes.isEmpty() ? 0 : hashes.get(0).length;
    boolean alike = hashes.stream().allMatch(hash -> hash.length == length);
    if (hashes.size() != code.n() || !alike || length < alpha || length % alpha > 0) {
      throw new IllegalArgumentException(
          "%d hashes, the first of %d bytes: %s has %d blocks of %d sub-blocks"
              .formatted(hashes.size(), length, code.name(), code.n(), alpha));
    }
    Matrix difference = difference(code, hashes, length / alpha);
    List<Integer> unfit =
        IntStream.range(code.k(), code.n())
            .filter(block -> !isZero(difference, (block - code.k()) * alpha, alpha))
            .boxed()
            .toList();
    return new ParityCheck(unfit, unfit.isEmpty() ? List.of() : suspects(code, difference));
  }

  /** The hashes of each parity sub-block less those that follow from the data, a row each. */
  private static Matrix difference(ErasureCode code, List<byte[]> hashes, int width) {
    int alpha = code.alpha();
    int columns = code.k() * alpha;
    byte[] values = new byte[code.m() * alpha * width];
    for (int row = 0; row < code.m() * alpha; row++) {
      int block = code.k() + row / alpha;
      System.arraycopy(hashes.get(block), row % alpha * width, values, row * width, width);
      for (int column = 0; column < columns; column++) {
        Gf256.multiplyAdd(
            code.generator().at(columns + row, column),
            hashes.get(column / alpha),
            column % alpha * width,
            values,
            row * width,
            width);
      }
    }
    return Matrix.ofBytes(code.m() * alpha, width, values);
  }

  private static boolean isZero(Matrix matrix, int from, int rows) {
    for (int row = from; row < from + rows; row++) {
      for (int column = 0; column < matrix.columns(); column++) {
        if (matrix.at(row, column) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** The blocks that some other content would have fit all equations. */
  private static List<Integer> suspects(ErasureCode code, Matrix difference) {
    List<Integer> suspects = new ArrayList<>();
    for (int block = 0; block < code.n(); block++) {
      Matrix share = share(code, block);
      if (beside(share, difference).rank() == share.rank()) {
        suspects.add(block);
      }
    }
    return suspects;
  }

  /** What each sub-block of a block adds to the difference: a row for each parity sub-block. */
  private static Matrix share(ErasureCode code, int block) {
    int alpha = code.alpha();
    int columns = code.k() * alpha;
    int rows = code.m() * alpha;
    int[] values = new int[rows * alpha];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < alpha; i++) {
        int column = block * alpha + i;
        values[row * alpha + i] =
            column < columns
                ? code.generator().at(columns + row, column)
                : (column - columns == row ? 1 : 0);
      }
    }
    return Matrix.of(rows, alpha, values);
  }

  private static Matrix beside(Matrix left, Matrix right) {
    int width = left.columns() + right.columns();
    int[] values = new int[left.rows() * width];
    for (int row = 0; row < left.rows(); row++) {
      System.arraycopy(left.row(row), 0, values, row * width, left.columns());
      System.arraycopy(right.row(row), 0, values, row * width + left.columns(), right.columns());
    }
    return Matrix.of(left.rows(), width, values);
  }
}
