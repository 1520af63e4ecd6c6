package org.braid.code;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** A code made by a test, and checks of equations that are independent of the solver. */
public record HandMade(
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
  public static HandMade of(int k, int alpha, int[]... parity) {
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

  public HandMade named(String other) {
    return new HandMade(other, n, k, alpha, generator, promises, groups, racks, encodings, sets);
  }

  /** Any matrix, also one that is not systematic. */
  public HandMade with(Matrix other) {
    return new HandMade(name, n, k, alpha, other, promises, groups, racks, encodings, sets);
  }

  public HandMade promising(Promise... all) {
    return new HandMade(name, n, k, alpha, generator, List.of(all), groups, racks, encodings, sets);
  }

  public HandMade inRacks(Integer... all) {
    return new HandMade(
        name, n, k, alpha, generator, promises, groups, Optional.of(List.of(all)), encodings, sets);
  }

  public HandMade grouped(LocalGroup... all) {
    return new HandMade(
        name, n, k, alpha, generator, promises, List.of(all), racks, encodings, sets);
  }

  public HandMade encodedBy(Schedule... all) {
    return new HandMade(name, n, k, alpha, generator, promises, groups, racks, List.of(all), sets);
  }

  public HandMade repairedFrom(List<SubBlock> set) {
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
  public static HandMade twoXorGroups() {
    return of(4, 1, new int[] {1, 1, 0, 0}, new int[] {0, 0, 1, 1});
  }

  /**
   * Two data blocks of two sub-blocks, two parities; the second one couples sub-blocks, and shares
   * the term a1 = (0, 1) with the first.
   */
  public static HandMade coupled() {
    return of(
            2,
            2,
            new int[] {1, 0, 1, 0},
            new int[] {0, 1, 0, 1},
            new int[] {1, 0, 2, 0},
            new int[] {1, 1, 0, 2})
        .named("coupled");
  }

  /** Whether the right side sums up to the target's row. */
  public static boolean holds(ErasureCode code, Equation equation) {
    int[] sum = new int[code.k() * code.alpha()];
    for (Term term : equation.terms()) {
      int[] row = code.generator().row(code.row(term.source()));
      IntStream.range(0, sum.length)
          .forEach(c -> sum[c] ^= Gf256.multiply(term.coefficient(), row[c]));
    }
    return Arrays.equals(sum, code.generator().row(code.row(equation.target())));
  }

  /** The size of the smallest pattern that cannot be decoded, by trying all subsets. */
  public static int distance(ErasureCode code) {
    return IntStream.range(1, 1 << code.n())
        .filter(
            bits ->
                !Solver.decodable(
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
