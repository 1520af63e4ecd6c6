package org.braid.code.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Overhead;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BoundsTest {
  private static CodeParameters shape(String name, int tolerance) {
    return CodeParameters.of(Codes.named(name), tolerance);
  }

  @ParameterizedTest
  @CsvSource({
    "rep-3,2,1",
    "rs-10-4,4,10",
    "xorbas-10-6-5,4,5",
    "mxor-10-7,2,2",
    "flr-n14-g4-l2,5,4",
    "hlr-n14-r8-g4-l1,9,7",
    "xor-4-1,1,4"
  })
  void localityIsReadOffTheGroups(String name, int tolerance, int locality) {
    ErasureCode code = Codes.named(name);
    assertEquals(
        new CodeParameters(code.n(), code.k(), tolerance, locality), shape(name, tolerance));
  }

  @ParameterizedTest
  @CsvSource({"rs-10-4,4,3.25", "rs-6-3,3,2.6666666666666665", "rep-3,2,1", "xor-4-1,1,4"})
  void theCutSetBoundOfMdsCodesIsTheMinimumStorageRepair(String name, int tolerance, double c) {
    CodeParameters shape = shape(name, tolerance);
    assertEquals(c, Bounds.cutSet().at(shape), 1e-12);
    int d = shape.n() - 1;
    assertEquals(d / (d - shape.k() + 1.0), c, 1e-12);
    assertEquals(1.0 / (shape.n() - shape.k()), Bounds.cutSetHelper().at(shape), 1e-12);
  }

  /** At the bound the sum over the cuts is exactly the data, and any less is too little. */
  @Test
  void theCutSetBoundIsTheLeastTrafficThatPassesEveryCut() {
    Random random = Seeds.random(getClass());
    for (int i = 0; i < 2000; i++) {
      int n = 2 + random.nextInt(60);
      int k = 1 + random.nextInt(n - 1);
      CodeParameters shape = new CodeParameters(n, k, 1 + random.nextInt(n - k), k);
      double c = Bounds.cutSet().at(shape);
      assertTrue(passing(shape, c) >= k - 1e-9, () -> shape + " at " + c);
      assertTrue(passing(shape, c * 0.999) < k - 1e-9, () -> shape + " below " + c);
    }
  }

  private static double passing(CodeParameters shape, double traffic) {
    int d = shape.n() - 1;
    return IntStream.range(0, shape.n() - shape.tolerance())
        .mapToDouble(i -> Math.min(1, traffic * (d - i) / d))
        .sum();
  }

  @ParameterizedTest
  @CsvSource({
    // n-k+1, n-k-ceil(k/r)+2, (k+t)/k, (k+t+ceil(k/r)-1)/k
    "rs-10-4,4,5,5,1.4,1.4",
    "rep-3,2,3,3,3,3",
    "xorbas-10-6-5,4,7,6,1.4,1.5",
    "mxor-10-7,2,8,4,1.2,1.6",
    "flr-n14-g4-l2,5,7,6,1.625,1.75"
  })
  void valuesOfDistanceAndOverhead(
      String name, int tolerance, int singleton, int local, double overhead, double localOverhead) {
    CodeParameters shape = shape(name, tolerance);
    assertEquals(singleton, Bounds.singleton().at(shape));
    assertEquals(local, Bounds.locality().at(shape));
    assertEquals(overhead, Bounds.overhead().at(shape), 1e-12);
    assertEquals(localOverhead, Bounds.localOverhead().at(shape), 1e-12);
  }

  /** What our codes do, by their groups alone, never beats a bound. */
  @ParameterizedTest
  @CsvSource({
    "rs-3-2,2",
    "rs-10-4,4",
    "rep-2,1",
    "rep-3,2",
    "xor-2-1,1",
    "xorbas-10-6-5,4",
    "mxor-4-4,2",
    "mxor-10-7,2",
    "flr-n14-g4-l2,5",
    "flr-n9-g3-l2,4",
    "hlr-n3-r3-g1-l1,3",
    "hlr-n14-r8-g4-l1,9"
  })
  void codesKeepEveryBound(String name, int tolerance) {
    ErasureCode code = Codes.named(name);
    CodeParameters shape = shape(name, tolerance);
    double traffic =
        IntStream.range(0, code.n()).mapToDouble(b -> groupReads(code, b)).average().orElseThrow();
    for (Bound bound : Codes.bounds()) {
      double measured =
          switch (bound.quantity()) {
            case REPAIR_TRAFFIC -> traffic;
            case HELPER_TRAFFIC -> traffic / (code.n() - 1);
            case DISTANCE -> tolerance + 1;
            case OVERHEAD -> Overhead.of(code);
          };
      assertTrue(respects(bound, shape, measured), () -> bound.name() + ", measured " + measured);
    }
  }

  private static int groupReads(ErasureCode code, int block) {
    return code.groups().stream()
        .filter(g -> g.blocks().contains(block))
        .mapToInt(g -> g.blocks().size() - g.losses())
        .min()
        .orElse(code.k());
  }

  private static boolean respects(Bound bound, CodeParameters shape, double measured) {
    double margin = measured - bound.at(shape);
    return (bound.side() == Bound.Side.AT_LEAST ? margin : -margin) >= -1e-9;
  }

  @Test
  void reedSolomonReachesTheBoundsOfDistanceAndStorage() {
    CodeParameters shape = shape("rs-10-4", 4);
    assertEquals(5, Bounds.singleton().at(shape));
    assertEquals(Bound.Side.AT_MOST, Bounds.singleton().side());
    assertEquals(1.4, Bounds.overhead().at(shape));
    assertEquals(Bound.Side.AT_LEAST, Bounds.overhead().side());
  }

  @Test
  void impossibleShapesAreRefusedWithTheirNumbers() {
    refused("n = 10, k = 10, but 1 <= k < n", 10, 10, 1, 1);
    refused("n = 3, k = 0, but 1 <= k < n", 3, 0, 1, 1);
    refused("tolerance 5, but n = 14 and k = 10 allow 1..4", 14, 10, 5, 10);
    refused("tolerance 0, but n = 14 and k = 10 allow 1..4", 14, 10, 0, 10);
    refused("locality 11, but k = 10 data blocks allow 1..10", 14, 10, 4, 11);
    refused("locality 0, but k = 10 data blocks allow 1..10", 14, 10, 4, 0);
  }

  private static void refused(String message, int n, int k, int tolerance, int locality) {
    assertEquals(
        message,
        assertThrows(
                IllegalArgumentException.class, () -> new CodeParameters(n, k, tolerance, locality))
            .getMessage());
  }
}
