package org.braid.hdfs.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MomentsTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource({
    "2026-11-23T15:00:00Z,06:00,2026-11-24T05:00:00Z",
    "2026-11-23T15:00:00Z,17:00,2026-11-23T16:00:00Z",
    "2026-11-23T15:00:00Z,16:00,2026-11-24T15:00:00Z",
    "2026-11-23T15:00:00Z,8h,2026-11-23T23:00:00Z",
    "2026-11-23T15:00:00.122788066Z,2h,2026-11-23T17:00:00Z",
    "2026-11-23T15:00:00.999999999Z,1s,2026-11-23T15:00:01Z",
    "2026-11-23T15:00:00Z,2026-12-24,2026-12-23T23:00:00Z",
    "2026-11-23T15:00:00Z,2026-12-24T06:00,2026-12-24T05:00:00Z",
    "2026-11-23T15:00:00Z,2026-12-24T06:00:00Z,2026-12-24T06:00:00Z",
    "2026-11-23T15:00:00Z,2026-12-24T06:00Z,2026-12-24T06:00:00Z",
    "2026-11-23T15:00:00Z,2026-12-24T06:00+02:00,2026-12-24T04:00:00Z",
    // Clocks skip the hour from 2:00, and have it twice in autumn.
    "2026-03-28T23:00:00Z,02:30,2026-03-29T01:30:00Z",
    "2026-10-24T23:00:00Z,02:30,2026-10-25T00:30:00Z",
    "2026-10-25T00:45:00Z,02:30,2026-10-25T01:30:00Z",
    "2026-10-25T01:30:00Z,02:30,2026-10-26T01:30:00Z"
  })
  void areToCome(Instant now, String text, Instant moment) {
    assertEquals(moment, Moments.parse(text, BERLIN, now));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "25:00", "6:00", "2020-01-01", "0s", "-8h", "2026-13-01"})
  void othersAreRefused(String text) {
    assertThrows(
        IllegalArgumentException.class,
        () -> Moments.parse(text, BERLIN, Instant.parse("2026-11-23T15:00:00Z")));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-23T15:00:00Z,2026-11-23T15:00:00Z",
    "2026-11-23T15:00:00.001Z,2026-11-23T15:00:01Z",
    "2026-12-31T23:59:59.999999999Z,2027-01-01T00:00:00Z"
  })
  void whatBeginsWithinASecondHasBegunAtItsEnd(Instant moment, String second) {
    assertEquals(second, Moments.begun(moment));
  }

  /** Each form that is named is one that is read. */
  @Test
  void aRefusalNamesAllForms() {
    Instant now = Instant.parse("2026-11-23T15:00:00Z");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Moments.parse("soon", BERLIN, now));
    String why = String.valueOf(e.getMessage());
    for (String form :
        List.of(
            "06:00",
            "2026-12-24",
            "2026-12-24T06:00",
            "2026-12-24T06:00+01:00",
            "2026-12-24T06:00Z",
            "8h")) {
      assertTrue(why.matches(".* " + Pattern.quote(form) + "(,.*| .*|$)"), form + ": " + why);
      assertTrue(Moments.parse(form, BERLIN, now).isAfter(now));
    }
  }

  @Test
  void theTimeOfARefusalIsInWholeSeconds() {
    Instant now = Instant.parse("2026-11-30T19:48:22.332658105Z");
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> Moments.parse("2020-01-01", BERLIN, now));
    assertEquals("\"2020-01-01\" is over: it is 2026-11-30T19:48:22Z", e.getMessage());
  }

  @Test
  void aPauseWithoutAnEndHasNoDate() {
    Instant end = Instant.parse("2026-12-24T05:00:00Z");
    assertEquals("2026-12-24T05:00:00Z", Moments.until(end));
    assertEquals("2026-12-24T05:00:00Z", Moments.words(Moments.until(end)));
    assertEquals("resumed", Moments.until(Instant.MAX));
    assertEquals("it is resumed", Moments.words(Moments.until(Instant.MAX)));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-12-01T05:00:00Z,Europe/Berlin,2026-12-01T05:00:00Z (06:00 in Europe/Berlin)",
    "2026-12-01T05:00:07Z,Europe/Berlin,2026-12-01T05:00:07Z (06:00:07 in Europe/Berlin)",
    "2026-12-23T23:00:00Z,Europe/Berlin,2026-12-23T23:00:00Z (2026-12-24T00:00 in Europe/Berlin)",
    "2026-12-01T05:00:00Z,UTC,2026-12-01T05:00:00Z",
    "2026-12-01T05:00:00Z,Europe/London,2026-12-01T05:00:00Z",
    "+1000000000-01-01T05:00:00Z,Europe/Berlin,+1000000000-01-01T05:00:00Z"
  })
  void areShownByTheClocksOfTheirZone(Instant end, ZoneId zone, String shown) {
    assertEquals(shown, Moments.untilBy(zone, end));
    assertEquals("resumed", Moments.untilBy(zone, Instant.MAX));
  }
}
