package org.braid.code.derive;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Gf256;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.Schedule;
import org.braid.code.SubBlock;
import org.braid.code.Term;

/** A code of which a test decides everything, and an independent judge of equations. */
record HandMade(
    String name,
    int n,
    int k,
    int alpha,
    Matrix generator,
    List<Promise> promises,
    List<LocalGroup> groups,
    Optional<List<Integer>> racks,
    List<Schedule> encodings,
    List<List<SubBlock>> sets)
    implements ErasureCode {

  /** Parity rows under the identity. */
  static HandMade of(int k, int alpha, int[]... parity) {
    int width = k * alpha;
    int rows = width + parity.length;
    int[] values = new int[rows * width];
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < width; c++) {
        values[r * width + c] = r < width ? (r == c ? 1 : 0) : parity[r - width][c];
      }
    }
    return new HandMade(
        "hand-made",
        rows / alpha,
        k,
        alpha,
        Matrix.of(rows, width, values),
        List.of(Promises.any(rows / alpha, 1)),
        List.of(),
        Optional.empty(),
        List.of(),
        List.of());
  }

  /** Any matrix, also one that is not systematic. */
  HandMade with(Matrix other) {
    return new HandMade(name, n, k, alpha, other, promises, groups, racks, encodings, sets);
  }

  HandMade promising(Promise... all) {
    return new HandMade(name, n, k, alpha, generator, List.of(all), groups, racks, encodings, sets);
  }

  HandMade inRacks(Integer... all) {
    return new HandMade(
        name, n, k, alpha, generator, promises, groups, Optional.of(List.of(all)), encodings, sets);
  }

  HandMade grouped(LocalGroup... all) {
    return new HandMade(
        name, n, k, alpha, generator, promises, List.of(all), racks, encodings, sets);
  }

  HandMade encodedBy(Schedule... all) {
    return new HandMade(name, n, k, alpha, generator, promises, groups, racks, List.of(all), sets);
  }

  HandMade repairedFrom(List<SubBlock> set) {
    return new HandMade(
        name, n, k, alpha, generator, promises, groups, racks, encodings, List.of(set));
  }

  @Override
  public List<List<SubBlock>> repairSets(Set<Integer> lost) {
    return sets.stream()
        .filter(set -> set.stream().noneMatch(s -> lost.contains(s.block())))
        .toList();
  }

  /** Data 0-1 with XOR parity 4, data 2-3 with XOR parity 5. */
  static HandMade twoXorGroups() {
    return of(4, 1, new int[] {1, 1, 0, 0}, new int[] {0, 0, 1, 1});
  }

  /** Whether the right side sums up to the target's row. */
  static boolean holds(ErasureCode code, Equation equation) {
    int[] sum = new int[code.k() * code.alpha()];
    for (Term term : equation.terms()) {
      int[] row = code.generator().row(code.row(term.source()));
      IntStream.range(0, sum.length)
          .forEach(c -> sum[c] ^= Gf256.multiply(term.coefficient(), row[c]));
    }
    return Arrays.equals(sum, code.generator().row(code.row(equation.target())));
  }

  /** The size of the smallest pattern that cannot be decoded, by trying all subsets. */
  static int distance(ErasureCode code) {
    return IntStream.range(1, 1 << code.n())
        .filter(
            bits ->
                !org.braid.code.Solver.decodable(
                    code,
                    IntStream.range(0, code.n())
                        .filter(b -> (bits >> b & 1) == 1)
                        .boxed()
                        .toList()))
        .map(Integer::bitCount)
        .min()
        .orElseThrow();
  }
}
