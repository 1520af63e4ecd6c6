package org.braid.hdfs.api.view;

import java.util.List;
import java.util.Locale;

/** Formats amounts for logs and the output of commands. */
public final class Amounts {
  private static final List<String> UNITS = List.of("KiB", "MiB", "GiB", "TiB");

  private Amounts() {}

  /** Formats a size with one decimal, for example {@code 122.7 MiB}. */
  public static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes / 1024.0;
    int unit = 0;
    while (value >= 1023.95 && unit < UNITS.size() - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS.get(unit));
  }

  /** Formats a number with its noun, for example {@code 1 file} or {@code 3 files}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
