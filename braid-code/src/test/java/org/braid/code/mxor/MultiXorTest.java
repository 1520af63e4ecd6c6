package org.braid.code.mxor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.braid.code.ErasureCodeContract;
import org.braid.code.LocalGroup;
import org.braid.code.Promises.Combinations;
import org.braid.code.Solver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MultiXorTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("mxor-4-4", 2),
        new Member("mxor-6-5", 2),
        new Member("mxor-8-6", 2),
        new Member("mxor-10-7", 2),
        new Member("mxor-24-14", 2),
        new Member("mxor-168-86", 2));
  }

  private static MultiXor array(int columns) {
    return new MultiXor(new MxorSettings(2 * columns, columns + 2));
  }

  @Test
  void verticalParitiesComeBeforeHorizontalOnes() {
    MultiXor code = array(5);
    assertArrayEquals(new int[] {1, 0, 0, 0, 0, 1, 0, 0, 0, 0}, code.generator().row(10));
    assertArrayEquals(new int[] {0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, code.generator().row(14));
    assertArrayEquals(new int[] {1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, code.generator().row(15));
    assertArrayEquals(new int[] {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}, code.generator().row(16));
  }

  @Test
  void groupsAreColumnsRowsAndAllParities() {
    List<LocalGroup> groups = array(5).groups();
    assertEquals(8, groups.size());
    assertEquals(new LocalGroup("column 3", List.of(3, 8, 13), 1), groups.get(3));
    assertEquals(new LocalGroup("row 1", List.of(5, 6, 7, 8, 9, 16), 1), groups.get(6));
    assertEquals(new LocalGroup("parities", List.of(10, 11, 12, 13, 14, 15, 16), 1), groups.get(7));
  }

  /** The paper's claim on single failures, for every block but the horizontal parities. */
  @ParameterizedTest
  @ValueSource(ints = {2, 5, 84})
  void dataAndVerticalParitiesComeFromTwoOthers(int columns) {
    MultiXor code = array(columns);
    Set<Integer> covered = new HashSet<>();
    for (LocalGroup column : code.groups().subList(0, columns)) {
      assertEquals(3, column.blocks().size());
      covered.addAll(column.blocks());
    }
    assertEquals(3 * columns, covered.size());
  }

  /** Three losses are fatal exactly when they are a data block and the two parities over it. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 6})
  void theFatalTriplesAreADataBlockWithItsParities(int columns) {
    MultiXor code = array(columns);
    int[] fatal = new int[1];
    new Combinations(code.n(), 3)
        .each(
            lost -> {
              int data = lost.get(0);
              boolean corner =
                  data < code.k()
                      && lost.get(1) == code.k() + data % columns
                      && lost.get(2) == code.k() + columns + data / columns;
              assertEquals(!corner, Solver.decodable(code, lost), lost::toString);
              fatal[0] += corner ? 1 : 0;
              return true;
            });
    assertEquals(code.k(), fatal[0]);
    assertFalse(Solver.decodable(code, List.of(0, code.k(), code.k() + columns)));
    assertTrue(Solver.decodable(code, List.of(0, code.k(), code.k() + columns + 1)));
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    String even = ", an array of 2 rows and c >= 2 columns has 2c = 4, 6, 8... data blocks";
    refused("k = 9" + even, 9, 7);
    refused("k = 2" + even, 2, 3);
    refused("k = 0" + even, 0, 2);
    String ten = ", but 10 data blocks make c + 2 = 7 parities, 5 vertical and 2 horizontal";
    refused("P = 6" + ten, 10, 6);
    refused("P = 8" + ten, 10, 8);
    refused("k + P = 257, a stripe takes at most 255 blocks", 170, 87);
  }

  private static void refused(String message, int k, int parities) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new MxorSettings(k, parities))
            .getMessage());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    assertEquals(array(5), array(5));
    assertEquals(array(5).hashCode(), array(5).hashCode());
    assertNotEquals(array(5), array(4));
  }
}
