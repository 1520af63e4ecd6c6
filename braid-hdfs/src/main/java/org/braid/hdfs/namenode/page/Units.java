package org.braid.hdfs.namenode.page;

import java.util.Locale;

/** Formats numbers for people. */
final class Units {
  private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Units() {}

  /** Bytes with three digits. */
  static String bytes(long bytes) {
    double value = Math.abs((double) bytes);
    int unit = 0;
    while (value >= 1000 && unit < BINARY.length - 1) {
      value /= 1024;
      unit++;
    }
    String sign = bytes < 0 ? "-" : "";
    String digits =
        unit == 0 || value >= 100
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
    return sign + digits + " " + BINARY[unit];
  }

  /** Bytes a second. */
  static String rate(long bytes) {
    return bytes(bytes) + "/s";
  }

  /** A count with its thousands apart. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A count with its noun. */
  static String count(long count, String noun) {
    return count(count) + " " + noun + (count == 1 ? "" : "s");
  }

  /** A duration in its two largest units. */
  static String time(long seconds) {
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3600) {
      return seconds / 60 + " min" + rest(seconds % 60, "s");
    }
    if (seconds < 86_400) {
      return seconds / 3600 + " h" + rest(seconds % 3600 / 60, "min");
    }
    return seconds / 86_400 + " d" + rest(seconds % 86_400 / 3600, "h");
  }

  private static String rest(long value, String unit) {
    return value == 0 ? "" : " " + value + " " + unit;
  }
}
