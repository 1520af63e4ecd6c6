package org.braid.code.derive;

import java.util.List;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.Matrix;

/**
 * A growing set of lost blocks that is tested for decodability.
 *
 * <p>With the generator (I over P) the rows of (P I) are the parity checks. Lost blocks can be
 * decoded exactly when their columns of the checks are independent. A search that adds and removes
 * one block at a time shares most of the elimination.
 */
final class Losses {
  private final int alpha;

  /** The column of each sub-block in the parity checks, m*alpha values. */
  private final byte[][] columns;

  private final byte[][] basis;
  private final int[] pivots;
  private final int[] sizes;
  private int size;
  private int depth;
  private long work;
  private long done;

  Losses(ErasureCode code) {
    alpha = code.alpha();
    int width = code.k() * alpha;
    int checks = code.m() * alpha;
    Matrix generator = code.generator();
    columns = new byte[code.n() * alpha][checks];
    for (int i = 0; i < columns.length; i++) {
      for (int r = 0; r < checks; r++) {
        int value = i < width ? generator.at(width + r, i) : i - width == r ? 1 : 0;
        columns[i][r] = (byte) value;
      }
    }
    basis = new byte[checks + 1][checks];
    pivots = new int[checks];
    sizes = new int[code.n() + 1];
  }

  /** Estimated byte operations to add the last of a number of losses. */
  static double work(ErasureCode code, int losses) {
    double alpha = code.alpha();
    return alpha * (losses * alpha / 2 + 1) * (code.m() * alpha + 8);
  }

  /** Adds a block; returns false and leaves the set unchanged when it could not be decoded then. */
  boolean add(int block) {
    int before = size;
    for (int s = 0; s < alpha; s++) {
      byte[] vector = basis[size];
      System.arraycopy(columns[block * alpha + s], 0, vector, 0, vector.length);
      work += (size + 1L) * vector.length;
      done += size + vector.length;
      for (int i = 0; i < size; i++) {
        if (vector[pivots[i]] != 0) {
          Gf256.multiplyAdd(vector[pivots[i]] & 0xff, basis[i], 0, vector, 0, vector.length);
          done += vector.length;
        }
      }
      int pivot = 0;
      while (pivot < vector.length && vector[pivot] == 0) {
        pivot++;
      }
      if (pivot == vector.length) {
        size = before;
        return false;
      }
      Gf256.scale(Gf256.inverse(vector[pivot] & 0xff), vector, vector.length);
      pivots[size++] = pivot;
    }
    sizes[depth++] = before;
    return true;
  }

  /** Estimated byte operations of all additions so far. */
  long work() {
    return work;
  }

  /** The share of {@link #work} that was really done; it is small for sparse checks. */
  double density() {
    return work == 0 ? 1 : (double) done / work;
  }

  /** Removes the block that was added last. */
  void undo() {
    size = sizes[--depth];
  }

  /** Removes all blocks. */
  void clear() {
    size = 0;
    depth = 0;
  }

  /** Clears the set and adds blocks; returns how many could be added before the first failure. */
  int addAll(List<Integer> blocks) {
    clear();
    int added = 0;
    while (added < blocks.size() && add(blocks.get(added))) {
      added++;
    }
    return added;
  }

  /** Whether these lost blocks can be decoded. */
  boolean survives(List<Integer> blocks) {
    return addAll(blocks) == blocks.size();
  }
}
