package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CodesTest {
  /** Stored stripes are read by these matrices: a value that changes here loses data. */
  @ParameterizedTest
  @CsvSource({
    "rs-3-2,6976219b6db0591e801fb0faa023d727f7725e76ef03d3c80149584befecb3f4",
    "rs-6-3,f281cb81d9a1a3cbfb9627107b21623b9057331300383eca96690bfe68c45b05",
    "rs-10-4,a1fa86b51002e8a530b84d93849b9c929717a0a53926fffa3ede5aadc4063737",
    "rs-12-4,82b622c0e155ca6dba165954452ee734391501a5bbd8a8d49036df72d367efbb"
  })
  void goldenDigests(String name, String digest) {
    assertEquals(digest, Codes.digest(Codes.named(name)));
  }

  @Test
  void theDigestSeesTheShapeAndEveryCoefficientButNotTheName() {
    int[][] rows = {{1, 1, 0, 0}, {0, 0, 1, 1}};
    String digest = Codes.digest(TestCodes.byHand("one", 4, 1, rows));
    assertEquals(digest, Codes.digest(TestCodes.byHand("other", 4, 1, rows)));
    assertNotEquals(digest, Codes.digest(TestCodes.byHand("one", 2, 2, rows)));
    int[][] changed = {{1, 1, 0, 0}, {0, 0, 1, 2}};
    assertNotEquals(digest, Codes.digest(TestCodes.byHand("one", 4, 1, changed)));
  }

  @Test
  void everyFamilysExampleIsACodeOfThatFamily() {
    for (CodeFamily family : Codes.families()) {
      assertEquals(family.example(), Codes.named(family.example()).name());
      assertTrue(family.example().startsWith(family.prefix()), family::toString);
      assertTrue(family.pattern().startsWith(family.prefix()), family::toString);
      assertTrue(family.description().lines().count() == 1, family::toString);
    }
  }

  @ParameterizedTest
  @CsvSource({"raid-5", "RS-6-3", "rs6-3", "''", "-"})
  void unknownFamiliesGetTheKnownOnes(String name) {
    String known =
        Codes.families().stream()
            .map(f -> f.pattern() + " (for example " + f.example() + ")")
            .collect(Collectors.joining(", "));
    assertTrue(known.contains("rs-K-M (for example rs-6-3)"), known);
    refused(name, "no code is named \"" + name + "\"; known: " + known);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rs|it has 0 parameters, not 2",
        "rs-|it has 0 parameters, not 2",
        "rs-6|it has 1 parameter, not 2",
        "rs-6-3-1|it has 3 parameters, not 2",
        "rs-6-x|\"x\" is not a decimal number of at most 9 digits",
        "rs-6--3|it has 3 parameters, not 2",
        "rs-6-|\"\" is not a decimal number of at most 9 digits",
        "rs-6-99999999999|\"99999999999\" is not a decimal number of at most 9 digits",
        "rs-06-3|it is written rs-6-3",
        "rs-0-3|k = 0, Reed-Solomon needs at least 1 data block",
        "rs-3-0|m = 0, Reed-Solomon needs at least 1 parity block",
        "rs-200-100|k + m = 300, Reed-Solomon over GF(2^8) takes at most 255 blocks"
      })
  void malformedNamesGetTheReason(String name, String reason) {
    refused(
        name,
        "\""
            + name
            + "\" is not a code: "
            + reason
            + "; the pattern is rs-K-M, for example rs-6-3");
  }

  private static void refused(String name, String message) {
    assertEquals(
        message, assertThrows(UnknownCodeException.class, () -> Codes.named(name)).getMessage());
  }
}
