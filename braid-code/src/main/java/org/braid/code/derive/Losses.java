package org.braid.code.derive;

import java.util.List;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;

/**
 * A growing set of lost blocks, and whether it can be decoded.
 *
 * <p>With the generator (I over P) the rows of (P I) are the parity checks; lost blocks can be
 * decoded exactly when their columns of the checks are independent. A search that adds and takes
 * away one block at a time thus shares most of its elimination.
 */
final class Losses {
  private final int alpha;

  /** For each sub-block its column of the parity checks, m*alpha values. */
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

  /** Byte operations that the last of so many losses takes, about. */
  static double work(ErasureCode code, int losses) {
    double alpha = code.alpha();
    return alpha * (losses * alpha / 2 + 1) * (code.m() * alpha + 8);
  }

  /** Adds a block; returns false, and leaves the set as it was, when it cannot be decoded then. */
  boolean add(int block) {
    int before = size;
    for (int s = 0; s < alpha; s++) {
      byte[] vector = basis[size];
      System.arraycopy(columns[block * alpha + s], 0, vector, 0, vector.length);
      work += (size + 1L) * vector.length;
      done += size + vector.length;
      for (int i = 0; i < size; i++) {
        if (vector[pivots[i]] != 0) {
          Rows.clear(vector, basis[i], pivots[i]);
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
      Rows.normalise(vector, pivot);
      pivots[size++] = pivot;
    }
    sizes[depth++] = before;
    return true;
  }

  /** Byte operations that all additions took so far, about. */
  long work() {
    return work;
  }

  /** The part of {@link #work} that was really done: where checks are sparse, much of it is not. */
  double density() {
    return work == 0 ? 1 : (double) done / work;
  }

  /** Takes the last block away that was added. */
  void undo() {
    size = sizes[--depth];
  }

  /** Takes all blocks away. */
  void clear() {
    size = 0;
    depth = 0;
  }

  /** Starts anew with these blocks; returns how many of them could be added before it failed. */
  int addAll(List<Integer> blocks) {
    clear();
    int added = 0;
    while (added < blocks.size() && add(blocks.get(added))) {
      added++;
    }
    return added;
  }

  /** Whether exactly these blocks can be decoded when lost. */
  boolean survives(List<Integer> blocks) {
    return addAll(blocks) == blocks.size();
  }
}
