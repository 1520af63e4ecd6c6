package org.braid.code.xorbas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.ErasureCodeContract;
import org.braid.code.Gf256;
import org.braid.code.LocalGroup;
import org.braid.code.Schedule;
import org.braid.code.Solver;
import org.junit.jupiter.api.Test;

final class XorbasTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("xorbas-4-3-2", 1),
        new Member("xorbas-6-4-3", 2),
        new Member("xorbas-10-6-5", 4),
        new Member("xorbas-12-5-4", 2),
        new Member("xorbas-12-6-6", 4),
        new Member("xorbas-16-8-8", 6),
        new Member("xorbas-60-8-12", 3));
  }

  private static Xorbas code(int k, int parities, int r) {
    return new Xorbas(new XorbasSettings(k, parities, r));
  }

  /** Every member with at most so many data blocks. */
  private static List<Xorbas> all(int maxData) {
    List<Xorbas> out = new ArrayList<>();
    for (int r = 2; 2 * r <= maxData; r++) {
      for (int k = 2 * r; k <= maxData; k += r) {
        for (int parities = k / r + 1; parities <= r + 1; parities++) {
          out.add(code(k, parities, r));
        }
      }
    }
    return out;
  }

  /**
   * The remainder of x^4 by x^4 + 15x^3 + 54x^2 + 120x + 64, the well-known polynomial of four
   * check bytes over this field.
   */
  @Test
  void theFirstDataBlockMeetsTheKnownPolynomial() {
    Xorbas code = code(10, 6, 5);
    int[] column = IntStream.range(10, 16).map(row -> code.generator().at(row, 0)).toArray();
    assertArrayEquals(new int[] {64, 120, 54, 15, 1, 0}, column);
  }

  @Test
  void everyStripeIsAPolynomialWithTheRootsOfHdfsRaid() {
    for (Xorbas code : all(30)) {
      int m = code.settings().globals();
      for (int data = 0; data < code.k(); data++) {
        for (int i = 0, root = 1; i < m; i++, root = Gf256.multiply(2, root)) {
          int value = power(root, m + data);
          for (int j = 0; j < m; j++) {
            value ^= Gf256.multiply(code.generator().at(code.k() + j, data), power(root, j));
          }
          assertEquals(0, value, code + ", data " + data + ", root " + root);
        }
      }
    }
  }

  private static int power(int base, int exponent) {
    int out = 1;
    for (int i = 0; i < exponent; i++) {
      out = Gf256.multiply(base, out);
    }
    return out;
  }

  @Test
  void localParitiesAreSumsOfTheirGroups() {
    Xorbas code = code(10, 6, 5);
    assertArrayEquals(new int[] {1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, code.generator().row(14));
    assertArrayEquals(new int[] {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, code.generator().row(15));
  }

  @Test
  void theImpliedGroupHoldsAllParities() {
    assertEquals(
        List.of(
            new LocalGroup("local 0", List.of(0, 1, 2, 3, 4, 14), 1),
            new LocalGroup("local 1", List.of(5, 6, 7, 8, 9, 15), 1),
            new LocalGroup("parities", List.of(10, 11, 12, 13, 14, 15), 1)),
        code(10, 6, 5).groups());
  }

  @Test
  void everyBlockIsRepairedFromAtMostR() {
    for (Xorbas code : all(30)) {
      for (int block = 0; block < code.n(); block++) {
        List<Integer> lost = List.of(block);
        assertTrue(
            code.groups().stream()
                .filter(g -> g.blocks().containsAll(lost))
                .filter(g -> g.blocks().size() - 1 <= code.settings().r())
                .anyMatch(g -> Solver.solve(code, lost, g.without(lost)).isPresent()),
            () -> code + " without " + lost);
      }
    }
  }

  /** With the promise of any m, this makes the distance m + 1: 5 for the paper's code. */
  @Test
  void oneLossMoreThanPromisedIsFatalInEveryGroup() {
    assertEquals(4, code(10, 6, 5).settings().globals());
    for (Xorbas code : all(30)) {
      int fatal = code.settings().globals() + 1;
      for (LocalGroup group : code.groups().subList(0, code.settings().groups())) {
        assertFalse(Solver.decodable(code, group.blocks().subList(0, fatal)), code::toString);
      }
    }
  }

  @Test
  void theImpliedParitySavesWork() {
    Xorbas code = code(10, 6, 5);
    assertEquals(50, Schedule.generator(code).terms());
    assertEquals(List.of(45), code.encodings().stream().map(Schedule::terms).toList());
  }

  @Test
  void theLongestStripesAreMade() {
    Xorbas code = code(240, 15, 24);
    assertEquals(255, code.n());
    List<Integer> lost = List.of(0, 7, 11, 240, 254);
    assertTrue(Solver.decodable(code, lost));
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    refused("R = 0, a group needs at least 1 data block", 10, 6, 0);
    refused("k = 10 data blocks do not make whole groups of R = 4", 10, 6, 4);
    refused("k = 0 data blocks do not make whole groups of R = 5", 0, 6, 5);
    refused(
        "k / R = 1 group, Xorbas needs at least 2: the local parity of the only group would be the"
            + " sum of the other parities; rs-K-M has no local parity",
        5,
        3,
        5);
    refused(
        "P = 2 parities, but k / R = 2 are local ones and at least 1 more is Reed-Solomon's",
        10,
        2,
        5);
    refused(
        "P - 1 = 6 > R = 5: a lost parity is repaired from the other P - 1, which must not be more"
            + " than R; take larger groups or fewer parities",
        10,
        7,
        5);
    refused("k + P = 256, Xorbas over GF(2^8) takes at most 255 blocks", 250, 6, 125);
    refused(
        "k + P = 2147483649, Xorbas over GF(2^8) takes at most 255 blocks",
        Integer.MAX_VALUE - 1,
        3,
        (Integer.MAX_VALUE - 1) / 2);
  }

  private static void refused(String message, int k, int parities, int r) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new XorbasSettings(k, parities, r))
            .getMessage());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    assertEquals(code(10, 6, 5), code(10, 6, 5));
    assertEquals(code(10, 6, 5).hashCode(), code(10, 6, 5).hashCode());
    assertNotEquals(code(10, 6, 5), code(10, 5, 5));
    assertEquals(new XorbasSettings(10, 6, 5), code(10, 6, 5).settings());
  }
}
