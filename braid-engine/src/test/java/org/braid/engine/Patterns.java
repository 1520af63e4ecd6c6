package org.braid.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Matrix;
import org.braid.code.Promise;
import org.braid.code.Solver;
import org.braid.code.SubBlock;

/** Codes, losses and their equations, for tests of engines. */
final class Patterns {
  private Patterns() {}

  /** A code from its generator. */
  record ByHand(String name, int n, int k, int alpha, Matrix generator) implements ErasureCode {
    @Override
    public List<Promise> promises() {
      return List.of();
    }
  }

  /** A code of parity rows under the identity. */
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

  /** Two groups of two data blocks with an XOR parity each, and a parity over all. */
  static ErasureCode localGroups() {
    return byHand(
        "local-groups",
        4,
        1,
        new int[] {1, 1, 0, 0},
        new int[] {0, 0, 1, 1},
        new int[] {1, 2, 4, 8});
  }

  /** Two data blocks of two sub-blocks; the second parity couples sub-blocks. */
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

  /** All losses of one block and of two. */
  static List<List<Integer>> singlesAndDoubles(int n) {
    List<List<Integer>> all = new ArrayList<>();
    for (int a = 0; a < n; a++) {
      all.add(List.of(a));
      for (int b = a + 1; b < n; b++) {
        all.add(List.of(a, b));
      }
    }
    return all;
  }

  /** The equations that repair a loss from all other blocks. */
  static List<Equation> equations(ErasureCode code, Collection<Integer> lost) {
    List<Integer> left =
        IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
    return Solver.solve(code, lost, left)
        .orElseThrow(() -> new AssertionError(code.name() + " cannot repair " + lost));
  }

  /** The equations that repair one block from each set of sub-blocks that its code names. */
  static List<List<Equation>> partialReads(ErasureCode code, int lost) {
    List<SubBlock> wanted =
        IntStream.range(0, code.alpha()).mapToObj(s -> new SubBlock(lost, s)).toList();
    return code.repairSets(Set.of(lost)).stream()
        .map(set -> Solver.solveSubBlocks(code, wanted, set).orElseThrow())
        .toList();
  }
}
