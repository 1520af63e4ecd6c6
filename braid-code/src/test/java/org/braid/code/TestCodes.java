package org.braid.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Codes made by hand, erasure patterns and an independent judge of equations, for tests. */
final class TestCodes {
  private TestCodes() {}

  /** A code from its parity rows. */
  record ByHand(String name, int n, int k, int alpha, Matrix generator) implements ErasureCode {
    @Override
    public List<Promise> promises() {
      return List.of();
    }
  }

  /** Puts parity rows under the identity. */
  static ErasureCode byHand(String name, int k, int alpha, int[]... parityRows) {
    int width = k * alpha;
    int[] values = new int[(width + parityRows.length) * width];
    for (int i = 0; i < width; i++) {
      values[i * width + i] = 1;
    }
    for (int r = 0; r < parityRows.length; r++) {
      System.arraycopy(parityRows[r], 0, values, (width + r) * width, width);
    }
    int rows = width + parityRows.length;
    return new ByHand(name, rows / alpha, k, alpha, Matrix.of(rows, width, values));
  }

  /** Data 0-1 with XOR parity 4, data 2-3 with XOR parity 5. */
  static ErasureCode twoXorGroups() {
    return byHand("two-xor-groups", 4, 1, new int[] {1, 1, 0, 0}, new int[] {0, 0, 1, 1});
  }

  /**
   * Two data blocks of two sub-blocks, two parities; the second one couples sub-blocks, and shares
   * the term a1 = (0, 1) with the first.
   */
  static ErasureCode coupled() {
    return byHand(
        "coupled",
        2,
        2,
        new int[] {1, 0, 1, 0},
        new int[] {0, 1, 0, 1},
        new int[] {1, 0, 2, 0},
        new int[] {1, 1, 0, 2});
  }

  /** All subsets of 0..n-1. */
  static void subsets(int n, Consumer<List<Integer>> visitor) {
    for (int bits = 0; bits < 1 << n; bits++) {
      visitor.accept(BitSet.valueOf(new long[] {bits}).stream().boxed().toList());
    }
  }

  /** A random subset of 0..n-1, in random order. */
  static List<Integer> subset(Random random, int n, int size) {
    List<Integer> all = new ArrayList<>(IntStream.range(0, n).boxed().toList());
    Collections.shuffle(all, random);
    return List.copyOf(all.subList(0, size));
  }

  /** The blocks of a stripe without some. */
  static List<Integer> without(ErasureCode code, List<Integer> lost) {
    return IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
  }

  /** Whether the equation holds for all data: its right side sums up to the target's row. */
  static boolean holds(ErasureCode code, Equation equation) {
    int[] sum = new int[code.k() * code.alpha()];
    for (Term term : equation.terms()) {
      int[] row = code.generator().row(code.row(term.source()));
      for (int c = 0; c < sum.length; c++) {
        sum[c] ^= Gf256.multiply(term.coefficient(), row[c]);
      }
    }
    return Arrays.equals(sum, code.generator().row(code.row(equation.target())));
  }

  /** The rank of the blocks' rows: full exactly when they determine the whole stripe. */
  static int rank(ErasureCode code, List<Integer> blocks) {
    int[] rows =
        blocks.stream()
            .flatMapToInt(b -> IntStream.range(b * code.alpha(), b * code.alpha() + code.alpha()))
            .toArray();
    return code.generator().select(rows).rank();
  }
}
