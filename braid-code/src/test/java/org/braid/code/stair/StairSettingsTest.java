package org.braid.code.stair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.braid.code.Codes;
import org.braid.code.UnknownCodeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StairSettingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stair-n0-r4-m0-e1-l0|n >= 1 does not hold: n = 0; a stripe needs a rack",
        "stair-n4-r0-m1-e1-l0|r >= 1 does not hold: r = 0; a rack needs a block",
        "stair-n4-r4-m4-e0-l0|m < n does not hold: m = 4, n = 4; no rack would hold data",
        "stair-n4-r4-m9-e1-l0|m < n does not hold: m = 9, n = 4; no rack would hold data",
        "rstair-n4-r4-m1-e4-l4|l < r does not hold: l = 4, r = 4; no rack would hold data",
        "stair-n4-r4-m2-e1.1.2-l0|m' <= n - m does not hold: e = 1.1.2 has m' = 3,"
            + " n - m = 4 - 2 = 2; too few racks are left for the coverage vector",
        "stair-n4-r4-m1-e1.5-l0|e_1 <= r does not hold: e = 1.5, r = 4;"
            + " a rack cannot lose more blocks than it has",
        "stair-n4-r4-m1-e3.1-l0|e_0 <= e_1 does not hold: e = 3.1;"
            + " the coverage vector is written in ascending order",
        "stair-n4-r4-m1-e0.1-l0|e_0 >= 1 does not hold: e = 0.1;"
            + " a rack that loses nothing is not listed",
        "rstair-n6-r5-m1-e2.4-l3|l <= e_0 does not hold: l = 3, e = 2.4;"
            + " a rack rebuilds l blocks by itself, so each entry is at least l",
        "stair-n4-r4-m2-e4.4-l0|(r - l) * (n - m) > sum of (e - l) does not hold:"
            + " 4 * 2 = 8, the sum is 8; no data would be left",
        "rstair-n4-r4-m2-e4.4-l1|(r - l) * (n - m) > sum of (e - l) does not hold:"
            + " 3 * 2 = 6, the sum is 6; no data would be left",
        "stair-n4-r4-m0-e0-l0|m + m' + l > 0 does not hold: all are 0; there would be no parity",
        "stair-n254-r2-m1-e1.1-l0|n + m' <= 255 does not hold: n = 254, m' = 2;"
            + " a row of the canonical stripe is a codeword over GF(2^8)",
        "rstair-n2-r200-m0-e57-l1|r + max(e) - l <= 255 does not hold:"
            + " r = 200, max(e) = 57, l = 1;"
            + " a column of the canonical stripe is a codeword over GF(2^8)",
        "stair-n999999999-r1-m1-e1-l0|n + m' <= 255 does not hold: n = 999999999, m' = 1;"
            + " a row of the canonical stripe is a codeword over GF(2^8)",
        "stair-n2-r999999999-m1-e0-l0|r + max(e) - l <= 255 does not hold:"
            + " r = 999999999, max(e) = 0, l = 0;"
            + " a column of the canonical stripe is a codeword over GF(2^8)",
        "stair-n41-r25-m1-e1-l0|n * r <= 1024 does not hold: n = 41, r = 25;"
            + " the generator would become too large",
        "stair-n5-r4-m1-e2-l1|l = 0 does not hold: l = 1;"
            + " with parities in every rack it is named rstair-n5-r4-m1-e2-l1",
        "rstair-n5-r4-m1-e2-l0|l >= 1 does not hold: l = 0;"
            + " without parities in every rack it is named stair-n5-r4-m1-e2-l0",
        "stair-n05-r4-m1-e2-l0|it is written stair-n5-r4-m1-e2-l0",
        "stair-n5-r4-m1-e00-l0|it is written stair-n5-r4-m1-e0-l0"
      })
  void impossibleParametersAreRefusedWithTheirNumbers(String name, String reason) {
    refused(name, reason);
  }

  @ParameterizedTest
  @CsvSource({
    "stair",
    "stair-",
    "stair-5-4-1-2-0",
    "stair-n5-r4-m1-e2",
    "stair-n5-r4-m1-e2-l0-",
    "stair-n5-r4-m1-e-l0",
    "stair-n5-r4-m1-e2.-l0",
    "stair-n5-r4-m1-e1..2-l0",
    "stair-n5-r4-m-1-e2-l0",
    "stair-r4-n5-m1-e2-l0",
    "rstair-n5-r4-m1-e2-lx",
    "rstair-n5-r4-m1-e1234567890-l1"
  })
  void otherSpellingsAreRefused(String name) {
    refused(
        name,
        "it needs n, r, m, e and l in this order, each letter followed by a decimal number of at"
            + " most 9 digits, e by several with dots between");
  }

  private static void refused(String name, String reason) {
    String hint =
        name.startsWith("rstair")
            ? "the pattern is rstair-nN-rR-mM-eE0.E1-lL, for example rstair-n6-r5-m1-e2.4-l1"
            : "the pattern is stair-nN-rR-mM-eE0.E1-l0, for example stair-n8-r4-m2-e1.1.2-l0";
    assertEquals(
        "\"" + name + "\" is not a code: " + reason + "; " + hint,
        assertThrows(UnknownCodeException.class, () -> Codes.named(name)).getMessage());
  }

  @Test
  void negativeParametersAreRefused() {
    assertEquals(
        "m >= 0 does not hold: m = -1; it counts racks",
        assertThrows(
                IllegalArgumentException.class, () -> new StairSettings(4, 4, -1, List.of(1), 0))
            .getMessage());
    assertEquals(
        "l >= 0 does not hold: l = -2; it counts blocks",
        assertThrows(
                IllegalArgumentException.class, () -> new StairSettings(4, 4, 1, List.of(1), -2))
            .getMessage());
  }

  @Test
  void theLimitsAreReached() {
    assertEquals(252 * 4 - 1, new StairSettings(253, 4, 1, List.of(1), 0).k());
    assertEquals(254, new Stair(new StairSettings(255, 1, 1, List.of(), 0)).k());
    assertEquals(200 + 199 - 55, new StairSettings(3, 200, 1, List.of(1, 55), 0).k());
    assertEquals(31 * 31, new Stair(new StairSettings(32, 32, 1, List.of(), 1)).k());
  }

  @Test
  void theNameOfAnEmptyCoverageVectorIsZero() {
    assertEquals("stair-n4-r3-m2-e0-l0", new StairSettings(4, 3, 2, List.of(), 0).name());
    assertEquals(List.of(), StairSettings.rstair("n4-r3-m2-e0-l1").e());
  }
}
