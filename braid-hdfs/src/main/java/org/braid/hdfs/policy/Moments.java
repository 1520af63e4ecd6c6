package org.braid.hdfs.policy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;

/** Formats and parses future moments. */
public final class Moments {
  /** Stands for the end of a pause without a set end. */
  private static final String RESUMED = "resumed";

  private Moments() {}

  /** Until when a pause lasts, as a value: a moment in ISO 8601, or {@code resumed}. */
  public static String until(Instant end) {
    return end.equals(Instant.MAX) ? RESUMED : end.toString();
  }

  /**
   * The same with the local time of a zone if it differs from UTC, with the date if the day
   * differs: {@code 2026-12-01T05:00:00Z (06:00 in Europe/Berlin)}.
   */
  public static String untilBy(ZoneId zone, Instant end) {
    if (end.equals(Instant.MAX)) {
      return until(end);
    }
    LocalDateTime utc;
    LocalDateTime local;
    try {
      utc = LocalDateTime.ofInstant(end, ZoneOffset.UTC);
      local = LocalDateTime.ofInstant(end, zone);
    } catch (DateTimeException e) {
      return until(end); // behind the last year that calendars have
    }
    if (local.equals(utc)) {
      return until(end);
    }
    boolean sameDay = local.toLocalDate().equals(utc.toLocalDate());
    return "%s (%s in %s)"
        .formatted(until(end), sameDay ? local.toLocalTime() : local, zone.getId());
  }

  /** The result of {@link #until} as text after "until" in a sentence. */
  public static String words(String until) {
    return until.equals(RESUMED) ? "it is resumed" : until;
  }

  /** The first whole second at or after a moment, in ISO 8601. */
  public static String begun(Instant moment) {
    Instant second = moment.truncatedTo(ChronoUnit.SECONDS);
    return (second.equals(moment) ? second : second.plusSeconds(1)).toString();
  }

  /**
   * Parses a future moment: a time of day, which is the next such time; a day, or a day and a time;
   * a time with its offset; or a duration from now. The moment has whole seconds.
   *
   * @throws IllegalArgumentException when it is malformed or not in the future
   */
  public static Instant parse(String text, ZoneId zone, Instant now) {
    Instant moment;
    try {
      moment = read(text, zone, now).truncatedTo(ChronoUnit.SECONDS);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" is not a time: write 06:00, 2026-12-24, 2026-12-24T06:00, with its offset"
              + " 2026-12-24T06:00+01:00 or 2026-12-24T06:00Z, or from now on 8h",
          e);
    }
    if (!moment.isAfter(now)) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is over: it is " + now.truncatedTo(ChronoUnit.SECONDS));
    }
    return moment;
  }

  private static Instant read(String text, ZoneId zone, Instant now) {
    if (text.matches("[0-9]+[smhd]")) {
      return now.plusMillis(PolicyQuantity.TIME.parse("time", text));
    }
    if (text.matches("[0-9]{2}:[0-9]{2}")) {
      LocalTime time = LocalTime.parse(text);
      ZonedDateTime today = now.atZone(zone).toLocalDate().atTime(time).atZone(zone);
      // Clocks that are put forward skip a time: it is then the one behind it. Clocks that are put
      // back show a time twice.
      ZonedDateTime tomorrow = now.atZone(zone).toLocalDate().plusDays(1).atTime(time).atZone(zone);
      return Stream.of(today, today.withLaterOffsetAtOverlap(), tomorrow)
          .map(ZonedDateTime::toInstant)
          .filter(moment -> moment.isAfter(now))
          .findFirst()
          .orElseGet(tomorrow::toInstant);
    }
    if (text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")) {
      return LocalDate.parse(text).atStartOfDay(zone).toInstant();
    }
    return text.matches(".*(Z|[+-][0-9]{2}:[0-9]{2})")
        ? OffsetDateTime.parse(text).toInstant()
        : LocalDateTime.parse(text).atZone(zone).toInstant();
  }
}
