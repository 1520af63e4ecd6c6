package org.braid.code.hlr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.braid.code.ErasureCodeContract;
import org.braid.code.LocalGroup;
import org.braid.code.Overhead;
import org.braid.code.Promise;
import org.braid.code.Schedule;
import org.braid.code.Solver;
import org.junit.jupiter.api.Test;

final class HierarchicalLocalRecoveryTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("hlr-n2-r2-g1-l1", 3),
        new Member("hlr-n3-r3-g1-l1", 3),
        new Member("hlr-n5-r2-g3-l1", 7),
        new Member("hlr-n4-r4-g2-l1", 5),
        new Member("hlr-n4-r5-g1-l2", 5),
        new Member("hlr-n14-r8-g4-l1", 9));
  }

  private static HierarchicalLocalRecovery code(int n, int r, int globals, int locals) {
    return new HierarchicalLocalRecovery(new HlrSettings(n, r, globals, locals));
  }

  @Test
  void itsNameIsTheSameInAllLanguages() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertEquals("hlr-n14-r8-g4-l1", code(14, 8, 4, 1).name());
    } finally {
      Locale.setDefault(before);
    }
  }

  /** R-STAIR §V-A and figure 6, with r(1 + m') + (n - 1 - m') parities for m = 1. */
  @Test
  void storageIsThePapers() {
    assertEquals(1.60, Overhead.of(code(14, 8, 4, 1)));
    for (int n = 8; n <= 14; n++) {
      for (int r = 2; r <= 16; r += 2) {
        for (int partial = 1; partial <= 5; partial++) {
          int parities = r * (1 + partial) + (n - 1 - partial);
          assertEquals(
              (double) r * n / (r * n - parities), Overhead.of(code(n, r, 1 + partial, 1)), 1e-12);
        }
      }
    }
  }

  @Test
  void dataComeFirstRackByRackThenParitiesRackByRack() {
    HierarchicalLocalRecovery code = code(3, 3, 1, 1);
    assertEquals(Optional.of(List.of(0, 0, 1, 1, 0, 1, 2, 2, 2)), code.racks());
    assertEquals(
        List.of(
            new LocalGroup("rack 0", List.of(0, 1, 4), 1),
            new LocalGroup("rack 1", List.of(2, 3, 5), 1),
            new LocalGroup("rack 2", List.of(6, 7, 8), 1),
            new LocalGroup("row 0", List.of(0, 2, 6), 1),
            new LocalGroup("row 1", List.of(1, 3, 7), 1),
            new LocalGroup("row 2", List.of(4, 5, 8), 1)),
        code.groups());
  }

  @Test
  void theFirstLocalParityOfADataRackIsItsSum() {
    HierarchicalLocalRecovery code = code(4, 5, 1, 2);
    assertArrayEquals(new int[] {1, 1, 1, 0, 0, 0, 0, 0, 0}, code.generator().row(9));
    assertArrayEquals(new int[] {0, 0, 0, 1, 1, 1, 0, 0, 0}, code.generator().row(11));
  }

  /** A word of least weight fills g + 1 racks in l + 1 rows. */
  @Test
  void oneLossMoreThanPromisedCanBeFatal() {
    for (HierarchicalLocalRecovery code :
        List.of(code(4, 4, 2, 1), code(4, 5, 1, 2), code(14, 8, 4, 1))) {
      HlrSettings s = code.settings();
      List<Integer> lost = new ArrayList<>();
      for (int rack = 0; rack <= s.globals(); rack++) {
        for (int row = 0; row <= s.locals(); row++) {
          lost.add(s.block(row, rack));
        }
      }
      assertFalse(Solver.decodable(code, lost), code::toString);
    }
  }

  @Test
  void rackLossesAreListedOnceEach() {
    Promise promise = code(3, 3, 1, 1).promises().get(0);
    assertEquals("any 1 whole rack and any 1 of each other rack", promise.text());
    assertEquals(3 * 3 * 3, promise.patterns());
    Set<List<Integer>> seen = new HashSet<>();
    promise.each(
        lost -> {
          assertEquals(5, Set.copyOf(lost).size());
          return seen.add(lost);
        });
    assertEquals(27, seen.size());
    List<List<Integer>> visited = new ArrayList<>();
    promise.each(
        lost -> {
          visited.add(lost);
          return visited.size() < 5;
        });
    assertEquals(5, visited.size());
    Promise many = code(127, 2, 1, 1).promises().get(0);
    assertEquals(Long.MAX_VALUE, many.patterns());
    assertEquals(
        "any 4 whole racks and any 1 of each other rack",
        code(14, 8, 4, 1).promises().get(0).text());
  }

  @Test
  void encodingByRacksAndRowsIsCheaper() {
    HierarchicalLocalRecovery code = code(14, 8, 4, 1);
    assertEquals(10 * 7 + 8 * 4 * 10, code.encodings().get(0).terms());
    assertEquals(10 * 7 + 7 * 4 * 10 + 4 * 70, Schedule.generator(code).terms());
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    refused("g = 0, but 1 <= g < n = 14 racks may hold cross-rack parity", 14, 8, 0, 1);
    refused("g = 14, but 1 <= g < n = 14 racks may hold cross-rack parity", 14, 8, 14, 1);
    refused("l = 0, but 1 <= l < r = 8 blocks of a rack may be local parity", 14, 8, 4, 0);
    refused("l = 8, but 1 <= l < r = 8 blocks of a rack may be local parity", 14, 8, 4, 8);
    refused("n * r = 256, a stripe takes at most 255 blocks", 16, 16, 4, 1);
    refused(
        "n * r = 4611686014132420609, a stripe takes at most 255 blocks",
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        4,
        1);
  }

  private static void refused(String message, int n, int r, int globals, int locals) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new HlrSettings(n, r, globals, locals))
            .getMessage());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    assertEquals(code(14, 8, 4, 1), code(14, 8, 4, 1));
    assertEquals(code(14, 8, 4, 1).hashCode(), code(14, 8, 4, 1).hashCode());
    assertNotEquals(code(14, 8, 4, 1), code(14, 8, 4, 2));
    assertEquals(new HlrSettings(14, 8, 4, 1), code(14, 8, 4, 1).settings());
  }
}
