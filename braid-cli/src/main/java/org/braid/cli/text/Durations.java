package org.braid.cli.text;

import java.util.Locale;
import java.util.Map;

/** Times from seconds to years: {@code 90s 15m 2h 30d 4y}, or {@code never}. */
public final class Durations {
  private static final Map<String, Double> SECONDS =
      Map.of("s", 1.0, "m", 60.0, "h", 3600.0, "d", 86_400.0, "y", 365.25 * 86_400);

  private Durations() {}

  /**
   * Reads a time, in seconds.
   *
   * @return infinite for {@code never}
   * @throws IllegalArgumentException when it is none
   */
  public static double parse(String text) {
    if (text.equals("never")) {
      return Double.POSITIVE_INFINITY;
    }
    if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,6})?[smhdy]")) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" is not a time: write a number with s, m, h, d or y, as in 15m or 4y, or never");
    }
    Double unit = SECONDS.get(text.substring(text.length() - 1));
    return Double.parseDouble(text.substring(0, text.length() - 1)) * (unit == null ? 1 : unit);
  }

  /** Writes seconds in the unit that suits, for example {@code 3.2 h}. */
  public static String format(double seconds) {
    if (Double.isInfinite(seconds)) {
      return "never";
    }
    String unit = "s";
    double value = seconds;
    for (String larger : new String[] {"m", "h", "d", "y"}) {
      double size = SECONDS.getOrDefault(larger, 1.0);
      if (seconds >= 2 * size) {
        unit = larger.equals("m") ? "min" : larger;
        value = seconds / size;
      }
    }
    String pattern = value < 10 ? "%.2f %s" : value < 1e5 ? "%.0f %s" : "%.2g %s";
    return String.format(Locale.ROOT, pattern, value, unit);
  }
}
