package org.braid.hdfs.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Random;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WindowTest {
  private final Random random = Seeds.random(WindowTest.class);

  @Test
  void goesOverMidnight() {
    Window night = Window.parse("22:00-06:00", "UTC");
    assertTrue(night.contains(Instant.parse("2026-11-23T22:00:00Z")));
    assertTrue(night.contains(Instant.parse("2026-11-24T05:59:59Z")));
    assertFalse(night.contains(Instant.parse("2026-11-24T06:00:00Z")));
    assertFalse(night.contains(Instant.parse("2026-11-23T21:59:59Z")));
    assertEquals(
        Optional.of(Instant.parse("2026-11-24T22:00:00Z")),
        night.opening(Instant.parse("2026-11-24T06:00:00Z")));
    assertEquals("22:00-06:00", night.hours());
  }

  /** 2026-03-29 in Berlin has no time from 2:00 to 3:00; 2026-10-25 has it twice. */
  @Test
  void followsTheClocksOfItsZone() {
    Window early = Window.parse("02:30-04:00", "Europe/Berlin");
    // Clocks go from 2:00 to 3:00, into the window.
    assertEquals(
        Optional.of(Instant.parse("2026-03-29T01:00:00Z")),
        early.opening(Instant.parse("2026-03-29T00:00:00Z")));
    Window skipped = Window.parse("02:15-02:45", "Europe/Berlin");
    assertEquals(
        Optional.of(Instant.parse("2026-03-30T00:15:00Z")),
        skipped.opening(Instant.parse("2026-03-29T00:00:00Z")));
    // It opens twice in the night in which clocks go back.
    assertEquals(
        Optional.of(Instant.parse("2026-10-25T00:15:00Z")),
        skipped.opening(Instant.parse("2026-10-25T00:00:00Z")));
    assertEquals(
        Optional.of(Instant.parse("2026-10-25T01:15:00Z")),
        skipped.opening(Instant.parse("2026-10-25T00:45:00Z")));
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin,2026-03-28T12:00:00Z",
    "Europe/Berlin,2026-10-24T12:00:00Z",
    "America/New_York,2026-03-07T12:00:00Z",
    "Australia/Lord_Howe,2026-04-04T01:00:00Z",
    "Australia/Lord_Howe,2026-10-03T01:00:00Z",
    "Pacific/Apia,2011-12-29T01:00:00Z",
    "UTC,2026-06-01T00:00:00Z"
  })
  void opensAtTheFirstMinuteThatItHas(String zone, String start) {
    Instant from = Instant.parse(start);
    for (int round = 0; round < 40; round++) {
      LocalTime opens = LocalTime.of(random.nextInt(24), random.nextInt(60));
      LocalTime closes = opens.plusMinutes(1 + random.nextInt(1439));
      Window window = new Window(opens, closes, ZoneId.of(zone));
      Instant now = from.plus(Duration.ofMinutes(random.nextInt(48 * 60)));
      Instant minute = now;
      while (!minute(window, minute)) {
        minute = minute.plus(Duration.ofMinutes(1));
      }
      assertEquals(Optional.of(minute), window.opening(now), window + " at " + now);
    }
  }

  /** Reads the wall clock and nothing else. */
  private static boolean minute(Window window, Instant moment) {
    int open = window.from().toSecondOfDay() / 60;
    int length = Math.floorMod(window.to().toSecondOfDay() / 60 - open, 1440);
    int wall = moment.atZone(window.zone()).toLocalTime().toSecondOfDay() / 60;
    assertEquals(Math.floorMod(wall - open, 1440) < length, window.contains(moment));
    return Math.floorMod(wall - open, 1440) < length;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "22:00|UTC|is not from-to",
        "22-6|UTC|is not from-to",
        "22:00-06:00-07:00|UTC|is not from-to",
        "25:00-06:00|UTC|no time of the day",
        "06:00-24:00|UTC|no time of the day",
        "06:00-06:00|UTC|opens and closes at 06:00",
        "22:00-06:00|Berlin|zone: \"Berlin\" is not known"
      })
  void refusesWhatIsNone(String hours, String zone, String why) {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> Window.parse(hours, zone))
                .getMessage());
    assertTrue(message.contains(why), message);
  }
}
