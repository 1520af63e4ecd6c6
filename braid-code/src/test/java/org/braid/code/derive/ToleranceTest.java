package org.braid.code.derive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.HandMade;
import org.braid.code.Solver;
import org.braid.code.derive.Tolerance.Effort;
import org.braid.code.derive.Tolerance.RackTolerance;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ToleranceTest {
  /** The counterexample is one, and none of its parts is. */
  private static void assertFatal(ErasureCode code, List<Integer> fatal) {
    assertFalse(Solver.decodable(code, fatal), fatal::toString);
    for (Integer block : fatal) {
      List<Integer> part = new ArrayList<>(fatal);
      part.remove(block);
      assertTrue(Solver.decodable(code, part), part::toString);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rs-6-3, 3",
    "rs-12-4, 4",
    "rs-1-5, 5",
    "rep-3, 2",
    "xor-4-1, 1",
    "xorbas-10-6-5, 4",
    "mxor-10-7, 2",
    "rstair-n6-r5-m1-e2.4-l1, 7",
    "stair-n8-r4-m2-e1.1.2-l0, 5"
  })
  void exactForCodesOfThePapers(String name, int expected) {
    ErasureCode code = Codes.named(name);
    Tolerance tolerance = Tolerance.of(code);
    assertTrue(tolerance.isExact());
    assertEquals(expected, tolerance.proven());
    assertEquals(String.valueOf(expected), tolerance.text());
    assertEquals(expected + 1, tolerance.fatal().size());
    assertFatal(code, tolerance.fatal());
    assertEquals(code.racks().isPresent(), tolerance.racks().isPresent());
  }

  @Test
  void randomSmallCodesAsBruteForceSays() {
    Random random = Seeds.random(ToleranceTest.class);
    for (int i = 0; i < 60; i++) {
      int alpha = 1 + random.nextInt(2);
      int k = 1 + random.nextInt(4);
      int[][] parity = new int[(1 + random.nextInt(4)) * alpha][k * alpha];
      for (int[] row : parity) {
        for (int c = 0; c < row.length; c++) {
          // Many zeros, so that tolerances differ.
          row[c] = random.nextInt(3) == 0 ? random.nextInt(256) : 0;
        }
      }
      ErasureCode code = HandMade.of(k, alpha, parity);
      Tolerance tolerance = Tolerance.of(code);
      assertTrue(tolerance.isExact());
      assertEquals(HandMade.distance(code) - 1, tolerance.proven(), code::toString);
      assertFatal(code, tolerance.fatal());
    }
  }

  @Test
  void longCodesAreSampledAndSaySo() {
    Tolerance tolerance = Tolerance.of(Codes.named("rs-20-10"), new Effort(5_000_000, 1000, 7));
    assertFalse(tolerance.isExact());
    assertTrue(tolerance.proven() >= 3 && tolerance.proven() < 10, tolerance.text());
    assertEquals(10, tolerance.atMost());
    PatternSample sample = tolerance.sample().orElseThrow();
    assertEquals(1000, sample.checked());
    // 1 - 0.001^(1/1000)
    assertEquals(0.0068840, sample.share(), 1e-6);
    assertEquals(
        tolerance.proven()
            + " proven, 10 likely (0 of 1000 patterns of 10 fatal:"
            + " with 99.9 % confidence less than 0.69 % are)",
        tolerance.text());
  }

  @Test
  void samplingFindsWhatIsCommon() {
    // Half of the pairs share a parity: nothing can be proven with so little work, but found.
    Tolerance tolerance = Tolerance.of(HandMade.twoXorGroups(), new Effort(1, 500, 1));
    assertEquals(2, tolerance.fatal().size());
    assertEquals(1, tolerance.atMost());
    assertEquals(0, tolerance.proven());
  }

  @Test
  void wholeRacks() {
    ErasureCode spread = HandMade.twoXorGroups().inRacks(0, 1, 0, 1, 2, 2);
    assertEquals(Optional.of(new RackTolerance(1, 3, List.of(0, 1))), Tolerance.of(spread).racks());
    ErasureCode close = HandMade.twoXorGroups().inRacks(0, 0, 1, 1, 0, 1);
    assertEquals(Optional.of(new RackTolerance(0, 2, List.of(0))), Tolerance.of(close).racks());
    RackTolerance stair =
        Tolerance.of(Codes.named("rstair-n6-r5-m1-e2.4-l1")).racks().orElseThrow();
    assertEquals(1, stair.racks());
    assertEquals(6, stair.of());
  }

  @Test
  void sameSeedSameAnswer() {
    ErasureCode code = Codes.named("rs-20-10");
    Effort effort = new Effort(5_000_000, 100, 3);
    assertEquals(Tolerance.of(code, effort), Tolerance.of(code, effort));
  }

  /** Its 64 sub-blocks a block make large checks, of which hardly anything is not zero. */
  @Test
  void sparseChecksAreTriedInFull() {
    Tolerance tolerance = Tolerance.of(Codes.named("clay-8-4-11"));
    assertTrue(tolerance.isExact(), tolerance.text());
    assertEquals(4, tolerance.proven());
    assertEquals(5, tolerance.fatal().size());
  }
}
