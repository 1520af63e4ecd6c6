package org.braid.code.rotated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.ErasureCodeContract;
import org.braid.code.Matrix;
import org.braid.code.Promise;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.UnknownCodeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RotatedReedSolomonTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("rotated-rs-1-1-2", 1),
        new Member("rotated-rs-4-1-4", 1),
        new Member("rotated-rs-5-2-1", 2),
        new Member("rotated-rs-6-2-4", 2),
        new Member("rotated-rs-6-3-4", 3),
        new Member("rotated-rs-6-3-3", 3),
        new Member("rotated-rs-4-3-7", 3),
        new Member("rotated-rs-5-4-2", 4),
        new Member("rotated-rs-10-4-4", 4),
        new Member("rotated-rs-12-4-4", 4),
        new Member("rotated-rs-10-4-6", 4),
        new Member("rotated-rs-12-2-16", 2));
  }

  private static RotatedReedSolomon code(int k, int m, int r) {
    return new RotatedReedSolomon(new RotatedRsSettings(k, m, r));
  }

  /** Parity 1 of k = 6, m = 3 takes blocks 0-1 one row further, parity 2 blocks 0-3. */
  @Test
  void rowsAreRotatedAsPublished() {
    Matrix generator = code(6, 3, 4).generator();
    for (int b = 0; b < 4; b++) {
      int next = (b + 1) % 4;
      assertEquals(List.of(b, b, b, b, b, b), rowsUsed(generator, 6, 4, 0, b));
      assertEquals(List.of(next, next, b, b, b, b), rowsUsed(generator, 6, 4, 1, b));
      assertEquals(List.of(next, next, next, next, b, b), rowsUsed(generator, 6, 4, 2, b));
    }
    assertTrue(
        IntStream.range(0, 4)
            .allMatch(b -> Arrays.stream(generator.row(24 + b)).allMatch(v -> v <= 1)),
        "parity 0 is the XOR");
  }

  /** The row of each data block that stands in one parity sub-block; one each. */
  private static List<Integer> rowsUsed(Matrix generator, int k, int r, int parity, int b) {
    int[] row = generator.row((k + parity) * r + b);
    int[] used = IntStream.range(0, k * r).filter(c -> row[c] != 0).toArray();
    assertEquals(k, used.length);
    return IntStream.range(0, k)
        .map(
            i -> {
              assertEquals(i, used[i] / r);
              return used[i] % r;
            })
        .boxed()
        .toList();
  }

  /**
   * What each data block's repair reads, from first to last, against the published r/2 (k +
   * ceil(k/m)), which is written for even r.
   */
  @ParameterizedTest
  @CsvSource({
    "12,4,4,30,30,30",
    "10,4,4,24,26,26",
    "6,3,4,16,16,16",
    "6,2,4,18,18,18",
    "12,2,4,36,36,36",
    "7,2,4,20,22,22",
    "8,3,2,10,11,11",
    "12,3,8,64,64,64",
    "6,3,6,24,24,24",
    "6,3,3,14,14,12",
    "6,3,1,6,6,4",
    "5,1,4,0,0,20"
  })
  void readsAreAsDerived(int k, int m, int r, int least, int most, int published) {
    RotatedReedSolomon code = code(k, m, r);
    int[] reads =
        IntStream.range(0, k)
            .map(b -> code.repairSets(Set.of(b)).stream().mapToInt(List::size).sum())
            .toArray();
    assertEquals(least, Arrays.stream(reads).min().orElseThrow());
    assertEquals(most, Arrays.stream(reads).max().orElseThrow());
    assertEquals(published, r * (k + (k + m - 1) / m) / 2);
    for (int b = 0; b < k && m > 1; b++) {
      int group = groupSize(k, m, b);
      assertEquals(r / 2 * (k + group) + r % 2 * k, reads[b], "block " + b);
    }
    for (int parity = k; parity < k + m; parity++) {
      assertEquals(List.of(), code.repairSets(Set.of(parity)));
    }
    assertEquals(List.of(), code.repairSets(Set.of(0, k)));
  }

  private static int groupSize(int k, int m, int block) {
    int size = 0;
    for (int j = 0; j < m; j++) {
      if (k * j / m <= block && block < k * (j + 1) / m) {
        size = k * (j + 1) / m - k * j / m;
      }
    }
    return size;
  }

  /** No other choice of one parity equation for each lost sub-block reads less. */
  @ParameterizedTest
  @CsvSource({"6,3,4", "6,2,4", "5,3,3", "7,3,2", "8,4,4", "6,3,5"})
  void noOtherChoiceOfEquationsReadsLess(int k, int m, int r) {
    RotatedRsSettings settings = new RotatedRsSettings(k, m, r);
    RotatedReedSolomon code = new RotatedReedSolomon(settings);
    for (int lost = 0; lost < k; lost++) {
      int least = Integer.MAX_VALUE;
      int choices = (int) Math.pow(m, r);
      for (int choice = 0; choice < choices; choice++) {
        least = Math.min(least, reads(code, lost, choice));
      }
      assertEquals(least, code.repairSets(Set.of(lost)).get(0).size(), code + ", block " + lost);
    }
  }

  /** Sub-blocks that are read when digit s of the choice names the parity that gives row s. */
  private static int reads(RotatedReedSolomon code, int lost, int choice) {
    Set<SubBlock> reads = new HashSet<>();
    int r = code.alpha();
    int left = choice;
    for (int s = 0; s < r; s++, left /= code.m()) {
      int parity = left % code.m();
      int column = lost * r + s;
      for (int b = 0; b < r; b++) {
        int row = (code.k() + parity) * r + b;
        if (code.generator().at(row, column) != 0) {
          reads.add(new SubBlock(code.k() + parity, b));
          IntStream.range(0, code.k() * r)
              .filter(c -> c / r != lost && code.generator().at(row, c) != 0)
              .forEach(c -> reads.add(new SubBlock(c / r, c % r)));
        }
      }
    }
    return reads.size();
  }

  /** Of all sets of sub-blocks, whatever the equations over them, none is smaller. */
  @ParameterizedTest
  @ValueSource(
      strings = {"rotated-rs-2-2-2", "rotated-rs-4-2-2", "rotated-rs-4-3-2", "rotated-rs-3-2-3"})
  void noOtherSetIsSmaller(String name) {
    ErasureCode code = Codes.named(name);
    for (int lost = 0; lost < code.k(); lost++) {
      List<SubBlock> wanted = Solver.subBlocks(code, List.of(lost));
      List<SubBlock> others = new ArrayList<>();
      for (int b = 0; b < code.n(); b++) {
        others.addAll(b == lost ? List.of() : Solver.subBlocks(code, List.of(b)));
      }
      int known = code.repairSets(Set.of(lost)).get(0).size();
      for (int bits = 0; bits < 1 << others.size(); bits++) {
        if (Integer.bitCount(bits) == known - 1) {
          List<SubBlock> set =
              BitSet.valueOf(new long[] {bits}).stream().mapToObj(others::get).toList();
          assertTrue(Solver.solveSubBlocks(code, wanted, set).isEmpty(), set::toString);
        }
      }
    }
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    refused("k = 0, Rotated Reed-Solomon needs at least 1 data block", 0, 3, 4);
    refused("m = 0, Rotated Reed-Solomon needs at least 1 parity block", 6, 0, 4);
    refused("k + m = 256, Rotated Reed-Solomon over GF(2^8) takes at most 255 blocks", 250, 6, 4);
    refused("r = 0, Rotated Reed-Solomon takes 1 to 64 sub-blocks", 6, 3, 0);
    refused("r = 65, Rotated Reed-Solomon takes 1 to 64 sub-blocks", 6, 3, 65);
    refused("r = 24, above 16 sub-blocks it must be a power of two, such as 16", 6, 3, 24);
    refused(
        "k = 30, m = 5: with r = 3 each of 324632 patterns of m losses would have to be tried,"
            + " at most 20000 are; with r a power of two none needs to be",
        30,
        5,
        3);
    refused(
        "n alpha k alpha = 130560000 with n = 255, k = 125, alpha = 64: the generator of Rotated"
            + " Reed-Solomon may have at most 16777216 coefficients",
        125,
        130,
        64);
  }

  /** Found by trying, so it says how far it came. */
  @Test
  void parametersWithoutEnoughColumnsAreRefused() {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> code(20, 3, 15)).getMessage());
    assertTrue(
        message.matches(
            "k = 20, m = 3, r = 15: the Cauchy matrices over GF\\(2\\^8\\) let only \\d+ data"
                + " blocks survive any 3 losses; take fewer, or a power of two for r"),
        message);
  }

  private static void refused(String message, int k, int m, int r) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new RotatedRsSettings(k, m, r))
            .getMessage());
  }

  @Test
  void malformedNamesGetTheReason() {
    String end = "; the pattern is rotated-rs-K-M-R, for example rotated-rs-6-3-4";
    assertEquals(
        "\"rotated-rs-6-3\" is not a code: it has 2 parameters, not 3" + end,
        assertThrows(UnknownCodeException.class, () -> Codes.named("rotated-rs-6-3")).getMessage());
  }

  /** Every code that is made keeps its promise, whatever r; all but eight of these are made. */
  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void everyPatternOfManyParameters() {
    List<String> refused = new ArrayList<>();
    for (int r = 1; r <= 16; r++) {
      for (int m = 1; m <= 4; m++) {
        for (int k = 1; k <= 12; k++) {
          try {
            RotatedReedSolomon code = code(k, m, r);
            Promise promise = code.promises().get(0);
            promise.each(
                lost -> {
                  assertTrue(promise.holds(code, lost), () -> code + ": " + lost);
                  return true;
                });
          } catch (IllegalArgumentException e) {
            assertTrue(Integer.bitCount(r) != 1, e::getMessage);
            refused.add(k + "-" + m + "-" + r);
          }
        }
      }
    }
    assertEquals(
        List.of("12-4-5", "12-4-10", "7-4-15", "8-4-15", "9-4-15", "10-4-15", "11-4-15", "12-4-15"),
        refused);
  }

  @Test
  void equalSettingsAreEqualCodes() {
    RotatedReedSolomon code = code(6, 3, 4);
    assertEquals(code, code(6, 3, 4));
    assertEquals(code.hashCode(), code(6, 3, 4).hashCode());
    assertNotEquals(code, code(6, 3, 2));
  }
}
