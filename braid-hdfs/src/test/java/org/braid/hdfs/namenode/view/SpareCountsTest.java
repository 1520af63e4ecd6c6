package org.braid.hdfs.namenode.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.derive.Tolerance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SpareCountsTest {
  private long now;

  /** All patterns of up to four lost blocks. */
  private static List<List<Integer>> patterns(int n) {
    List<List<Integer>> patterns = new ArrayList<>();
    for (int bits = 1; bits < 1 << n; bits++) {
      if (Integer.bitCount(bits) <= 4) {
        List<Integer> lost = new ArrayList<>();
        for (int i = 0; i < n; i++) {
          if ((bits >> i & 1) == 1) {
            lost.add(i);
          }
        }
        patterns.add(lost);
      }
    }
    return patterns;
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-3-2", "rs-6-3", "lrc-6-2-2", "xorbas-6-4-3"})
  void withoutTimeNoStripeIsCalledSaferThanItIs(String name) {
    ErasureCode code = Codes.named(name);
    SpareCounts proven = new SpareCounts(() -> 0, 1);
    SpareCounts hasty = new SpareCounts(() -> 0, 0);
    for (List<Integer> lost : patterns(code.n())) {
      int spare = proven.of(code, lost);
      assertEquals(Tolerance.spare(code, lost, Tolerance.counted(code)), spare, lost.toString());
      int certain = hasty.of(code, lost);
      assertTrue(certain <= spare, lost + ": " + certain + " and " + spare);
      assertEquals(Solver.decodable(code, lost), certain >= 0, lost.toString());
    }
  }

  @Test
  void aLookProvesAsMuchAsItHasTimeForAndTheNextOneGoesOn() {
    ErasureCode code = Codes.named("rs-6-3");
    int[] asked = {0};
    SpareCounts counts =
        new SpareCounts(
            () -> {
              asked[0]++;
              now += 10;
              return now;
            },
            15);
    counts.begin();
    for (int i = 0; i < 4; i++) {
      assertEquals(2, counts.of(code, List.of(i)));
    }
    assertEquals(4, asked[0], "two proofs");
    counts.begin();
    for (int i = 0; i < 4; i++) {
      assertEquals(2, counts.of(code, List.of(i)));
    }
    assertEquals(8, asked[0], "two more");
    counts.begin();
    for (int i = 0; i < 4; i++) {
      assertEquals(2, counts.of(code, List.of(i)));
    }
    assertEquals(8, asked[0], "all are known");
  }

  /** What is gone for good is nobody's loss any more, nor is parity. */
  @Test
  void onlyDataBlocksThatNothingGivesBackAreCosts() {
    SpareCounts counts = new SpareCounts(() -> 0, 1);
    ErasureCode rs = Codes.named("rs-6-3");
    List<Integer> missing = List.of(0, 1, 2, 6);
    assertEquals(-1, counts.of(rs, missing));
    assertFalse(counts.costsData(rs, missing, List.of(6)), "parity");
    assertTrue(counts.costsData(rs, missing, List.of(2, 6)));
    assertFalse(counts.costsData(rs, List.of(0, 1, 6), List.of(0, 1, 6)), "it can be decoded");
    ErasureCode lrc = Codes.named("lrc-6-2-2");
    List<Integer> oneGroup = List.of(0, 3, 4, 5, 7);
    assertEquals(-1, counts.of(lrc, oneGroup));
    assertFalse(counts.costsData(lrc, oneGroup, List.of(0)), "its own group gives it back");
    assertTrue(counts.costsData(lrc, oneGroup, List.of(3)));
  }
}
