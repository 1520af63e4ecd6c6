package org.braid.hdfs.policy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The hours of each day in which a policy works, in local time of a zone.
 *
 * @param from when it opens
 * @param to when it closes; before {@code from}: on the next day
 */
public record Window(LocalTime from, LocalTime to, ZoneId zone) {
  private static final int DAYS = 8;

  public Window {
    if (from.equals(to)) {
      throw new IllegalArgumentException(
          "window: it opens and closes at %s: leave it out to work all day".formatted(from));
    }
  }

  /**
   * Reads a window.
   *
   * @param hours as {@code 22:00-06:00}
   * @param zone as {@code Europe/Berlin}
   * @throws IllegalArgumentException when it is none
   */
  public static Window parse(String hours, String zone) {
    String[] parts = hours.split("-", -1);
    if (parts.length != 2 || !hours.matches("[0-9]{2}:[0-9]{2}-[0-9]{2}:[0-9]{2}")) {
      throw new IllegalArgumentException(
          "window: \"" + hours + "\" is not from-to, as in 22:00-06:00");
    }
    return new Window(time(parts[0]), time(parts[1]), zone(zone));
  }

  /** Reads a time of the day. */
  private static LocalTime time(String text) {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("\"" + text + "\" is no time of the day", e);
    }
  }

  /**
   * Reads a zone.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  public static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "zone: \"" + text + "\" is not known: name it as in Europe/Berlin or UTC", e);
    }
  }

  /** Whether it is open at a moment. */
  public boolean contains(Instant moment) {
    LocalTime time = moment.atZone(zone).toLocalTime();
    boolean begun = !time.isBefore(from);
    boolean ended = !time.isBefore(to);
    return from.isBefore(to) ? begun && !ended : begun || !ended;
  }

  /**
   * The next moment at which it is open: now, at its begin, or when clocks jump forward into it.
   * Empty when it does not open within days, as clocks skip it.
   */
  public Optional<Instant> opening(Instant now) {
    List<Instant> candidates = new ArrayList<>(List.of(now));
    LocalDate today = now.atZone(zone).toLocalDate();
    for (int day = -1; day <= DAYS; day++) {
      LocalDateTime local = today.plusDays(day).atTime(from);
      for (ZoneOffset offset : zone.getRules().getValidOffsets(local)) {
        candidates.add(local.toInstant(offset));
      }
    }
    ZoneOffsetTransition transition = zone.getRules().nextTransition(now);
    if (transition != null) {
      candidates.add(transition.getInstant());
    }
    return candidates.stream()
        .filter(moment -> !moment.isBefore(now) && contains(moment))
        .min(Instant::compareTo);
  }

  /** Formats the hours. */
  public String hours() {
    return from + "-" + to;
  }
}
