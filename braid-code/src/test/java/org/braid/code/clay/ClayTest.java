package org.braid.code.clay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.ErasureCodeContract;
import org.braid.code.Gf256;
import org.braid.code.Matrix;
import org.braid.code.Promise;
import org.braid.code.Schedule;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.UnknownCodeException;
import org.braid.code.bound.Bounds;
import org.braid.code.bound.CodeParameters;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClayTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("clay-1-2-2", 2),
        new Member("clay-2-2-3", 2),
        new Member("clay-4-2-5", 2),
        new Member("clay-3-3-4", 3),
        new Member("clay-4-3-5", 3),
        new Member("clay-5-3-7", 3),
        new Member("clay-6-3-8", 3),
        new Member("clay-8-4-9", 4));
  }

  private static Clay code(int k, int m, int d) {
    return new Clay(new ClaySettings(k, m, d));
  }

  /**
   * The definition, on random data: what is stored, uncoupled pair by pair, is a codeword in every
   * plane.
   */
  @ParameterizedTest
  @CsvSource({"2,2,3", "4,2,5", "3,3,4", "4,3,5", "5,3,7", "6,3,8", "8,4,11"})
  void everyPlaneIsACodewordOnceUncoupled(int k, int m, int d) {
    Clay code = code(k, m, d);
    int q = d - k + 1;
    int nodes = (k + m + q - 1) / q * q;
    int alpha = power(q, nodes / q);
    assertEquals(alpha, code.alpha());
    Random random = Seeds.random(ClayTest.class);
    Matrix data = Matrix.of(k * alpha, 1, random.ints((long) k * alpha, 0, 256).toArray());
    Matrix stored = code.generator().times(data);
    int virtual = nodes - k - m;
    int[][] c = new int[nodes][alpha];
    for (int block = 0; block < k + m; block++) {
      for (int z = 0; z < alpha; z++) {
        c[block < k ? block : block + virtual][z] = stored.at(block * alpha + z, 0);
      }
    }
    Matrix planeCode = new ReedSolomon(new RsSettings(k + virtual, m)).generator();
    for (int z = 0; z < alpha; z++) {
      int[] u = uncoupled(c, q, z);
      for (int parity = k + virtual; parity < nodes; parity++) {
        int sum = u[parity];
        for (int node = 0; node < k + virtual; node++) {
          sum ^= Gf256.multiply(planeCode.at(parity, node), u[node]);
        }
        assertEquals(0, sum, code + ", plane " + z);
      }
    }
  }

  private static int power(int base, int exponent) {
    return IntStream.range(0, exponent).reduce(1, (product, i) -> product * base);
  }

  private static int[] uncoupled(int[][] c, int q, int z) {
    int[] u = new int[c.length];
    for (int node = 0; node < c.length; node++) {
      int weight = power(q, node / q);
      int digit = z / weight % q;
      int x = node % q;
      if (digit == x) {
        u[node] = c[node][z];
      } else {
        int other = c[node - x + digit][z + (x - digit) * weight];
        // C = U + 2 U', C' = U' + 2 U: U = (C + 2 C') / (1 + 4)
        u[node] = Gf256.divide(c[node][z] ^ Gf256.multiply(2, other), 5);
      }
    }
    return u;
  }

  /** d alpha / (d - k + 1) sub-blocks, the cut-set bound, the same number from each helper. */
  @ParameterizedTest
  @CsvSource({"4,2,5", "3,3,4", "4,3,5", "5,3,7", "6,3,8", "8,4,9", "8,4,11"})
  void everyBlockIsRepairedWithTheLeastTrafficThereIs(int k, int m, int d) {
    Clay code = code(k, m, d);
    for (int lost = 0; lost < code.n(); lost++) {
      List<List<SubBlock>> sets = code.repairSets(Set.of(lost));
      assertTrue(d == k + m - 1 ? sets.size() == 1 : sets.size() > 1, sets::toString);
      for (List<SubBlock> set : sets) {
        assertEquals(set.size(), Set.copyOf(set).size());
        double bound = d / (d - k + 1.0);
        assertEquals(bound, set.size() / (double) code.alpha(), 1e-12);
        Map<Integer, Long> byHelper =
            set.stream().collect(Collectors.groupingBy(SubBlock::block, Collectors.counting()));
        assertEquals(d, byHelper.size());
        long beta = code.alpha() / (d - k + 1);
        assertTrue(byHelper.values().stream().allMatch(count -> count == beta));
      }
    }
    if (d == k + m - 1) {
      double bound = Bounds.cutSet().at(CodeParameters.of(code, m));
      assertEquals(bound, d / (d - k + 1.0), 1e-12);
      assertEquals(List.of(), code.repairSets(Set.of(0, code.n() - 1)), "too few helpers for two");
    }
    assertEquals(List.of(), code.repairSets(Set.of()));
  }

  /** Two losses in different columns, while each has d helpers; how many pairs that helps. */
  @ParameterizedTest
  @CsvSource({"3,3,4,0", "4,3,5,18", "6,4,7,40"})
  void pairsShareWhatTheyRead(int k, int m, int d, int helped) {
    Clay code = code(k, m, d);
    int cheap = 0;
    for (int a = 0; a < code.n(); a++) {
      for (int b = a + 1; b < code.n(); b++) {
        List<SubBlock> wanted = Solver.subBlocks(code, List.of(a, b));
        List<List<SubBlock>> sets = code.repairSets(Set.of(a, b));
        for (List<SubBlock> set : sets) {
          assertTrue(set.size() < k * code.alpha(), set::toString);
          assertTrue(set.stream().noneMatch(s -> wanted.contains(s)), set::toString);
        }
        if (!sets.isEmpty()) {
          assertTrue(Solver.solveSubBlocks(code, wanted, sets.get(0)).isPresent(), a + " and " + b);
          cheap++;
        }
      }
    }
    assertEquals(helped, cheap);
  }

  /** A copy is the least there is when one data block is all. */
  @Test
  void oneDataBlockIsReadWhole() {
    assertEquals(List.of(), code(1, 2, 2).repairSets(Set.of(0)));
  }

  /** One sub-block less and the block does not come back. */
  @Test
  void noReadCanBeSpared() {
    Clay code = code(4, 2, 5);
    for (int lost = 0; lost < code.n(); lost++) {
      List<SubBlock> wanted = Solver.subBlocks(code, List.of(lost));
      List<SubBlock> set = code.repairSets(Set.of(lost)).get(0);
      for (SubBlock spared : set) {
        List<SubBlock> fewer = set.stream().filter(s -> !s.equals(spared)).toList();
        assertTrue(Solver.solveSubBlocks(code, wanted, fewer).isEmpty(), spared::toString);
      }
    }
  }

  /** The contract's exhaustive checks would take minutes here; random losses, on random data. */
  @Test
  void longStripesDecode() {
    decode(code(8, 4, 11), 6);
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void theLongestStripesDecode() {
    decode(code(10, 4, 13), 30);
    decode(code(14, 2, 15), 30);
    everyPlaneIsACodewordOnceUncoupled(10, 4, 13);
    everyBlockIsRepairedWithTheLeastTrafficThereIs(10, 4, 13);
  }

  private static void decode(Clay code, int runs) {
    Random random = Seeds.random(ClayTest.class);
    Matrix data =
        Matrix.of(
            code.k() * code.alpha(),
            1,
            random.ints((long) code.k() * code.alpha(), 0, 256).toArray());
    Matrix stored = code.generator().times(data);
    Promise any = code.promises().get(0);
    for (int run = 0; run < runs; run++) {
      List<Integer> lost = any.sample(random);
      assertEquals(code.m(), lost.size());
      assertTrue(any.holds(code, lost), lost::toString);
      List<Integer> left =
          IntStream.range(0, code.n()).filter(b -> !lost.contains(b)).boxed().toList();
      List<Equation> equations = new ArrayList<>(Solver.solve(code, lost, left).orElseThrow());
      int single = lost.get(0);
      List<SubBlock> set = code.repairSets(Set.of(single)).get(0);
      equations.addAll(
          Solver.solveSubBlocks(code, Solver.subBlocks(code, List.of(single)), set).orElseThrow());
      for (Equation equation : equations) {
        int sum =
            equation.terms().stream()
                .mapToInt(t -> Gf256.multiply(t.coefficient(), stored.at(code.row(t.source()), 0)))
                .reduce(0, (a, b) -> a ^ b);
        assertEquals(stored.at(code.row(equation.target()), 0), sum, equation::toString);
      }
    }
  }

  @Test
  void encodingByLayersIsCheaperThanByTheMatrix() {
    for (Clay code : List.of(code(4, 2, 5), code(6, 3, 8), code(8, 4, 11))) {
      int layered = code.encodings().get(0).terms();
      assertTrue(layered < Schedule.generator(code).terms(), code + ": " + layered);
    }
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    refused("k = 0, a Clay code needs at least 1 data block", 0, 2, 1);
    refused("m = 1, a Clay code needs at least 2 parity blocks", 4, 1, 4);
    refused("d = 4, a Clay code needs k + 1 <= d <= k + m - 1, that is 5 to 5", 4, 2, 4);
    refused("d = 6, a Clay code needs k + 1 <= d <= k + m - 1, that is 5 to 5", 4, 2, 6);
    refused(
        "q = d - k + 1 = 4, t = ceil((k + m) / q) = 5: alpha = 4^5 sub-blocks, at most 256 are"
            + " taken",
        14,
        4,
        17);
    refused(
        "k + m = 254 rounded up to 256, a multiple of q = d - k + 1 = 64: a Clay code over GF(2^8)"
            + " takes at most 255 nodes",
        100,
        154,
        163);
    refused(
        "n alpha k alpha = 33554432 with n = 32, k = 16, alpha = 256: the generator of a Clay code"
            + " may have at most 16777216 coefficients",
        16,
        16,
        31);
  }

  private static void refused(String message, int k, int m, int d) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new ClaySettings(k, m, d)).getMessage());
  }

  @Test
  void malformedNamesGetTheReason() {
    String end = "; the pattern is clay-K-M-D, for example clay-4-2-5";
    assertEquals(
        "\"clay-4-2\" is not a code: it has 2 parameters, not 3" + end,
        assertThrows(UnknownCodeException.class, () -> Codes.named("clay-4-2")).getMessage());
    assertEquals(
        "\"clay-4-2-7\" is not a code: d = 7, a Clay code needs k + 1 <= d <= k + m - 1, that is 5"
            + " to 5"
            + end,
        assertThrows(UnknownCodeException.class, () -> Codes.named("clay-4-2-7")).getMessage());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    Clay code = code(4, 2, 5);
    assertEquals(code, code(4, 2, 5));
    assertEquals(code.hashCode(), code(4, 2, 5).hashCode());
    assertNotEquals(code, code(2, 2, 3));
  }
}
