package org.braid.experiment.text;

import java.util.Locale;

/** Sizes in bytes: {@code 64k 8m 1g} are powers of two. */
public final class Sizes {
  private static final String UNITS = "kmg";

  private Sizes() {}

  /**
   * Reads a size.
   *
   * @throws IllegalArgumentException when it is none, is not positive, or is above 2^62
   */
  public static long parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    int unit = lower.isEmpty() ? -1 : UNITS.indexOf(lower.charAt(lower.length() - 1));
    String digits = unit < 0 ? lower : lower.substring(0, lower.length() - 1);
    int shift = 10 * (unit + 1);
    if (!digits.matches("[0-9]{1,18}")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a size: write bytes, or a number with k, m or g, as in 256k");
    }
    long number = Long.parseLong(digits);
    if (number == 0 || number > (1L << 62) >> shift) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is out of range: a size is from 1 to 2^62 bytes");
    }
    return number << shift;
  }

  /**
   * Reads a size that fits an int.
   *
   * @throws IllegalArgumentException also when it is 2^31 or more
   */
  public static int parseInt(String text) {
    long size = parse(text);
    if (size > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("\"" + text + "\" is too large: it must be below 2g");
    }
    return (int) size;
  }

  /**
   * Reads a rate, for example {@code 100mbit} or {@code 2.5gbit}; its units are powers of ten.
   *
   * @return bytes a second
   * @throws IllegalArgumentException when it is none or not positive
   */
  public static double parseRate(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (!lower.matches("[0-9]{1,9}(\\.[0-9]{1,6})?[kmg]bit")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a rate: write a number with kbit, mbit or gbit, as in 100mbit");
    }
    double number = Double.parseDouble(lower.substring(0, lower.length() - 4));
    if (number == 0) {
      throw new IllegalArgumentException("\"" + text + "\" is out of range: nothing would move");
    }
    return number * Math.pow(1000, UNITS.indexOf(lower.charAt(lower.length() - 4)) + 1) / 8;
  }

  /** Writes a size with three or four digits, for example {@code 122.7 MiB}. */
  public static String format(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes / 1024.0;
    for (String unit : new String[] {"KiB", "MiB", "GiB"}) {
      if (value < 1023.95) {
        return String.format(Locale.ROOT, "%.1f %s", value, unit);
      }
      value /= 1024;
    }
    return String.format(Locale.ROOT, "%.1f TiB", value);
  }

  /** Writes seconds, for example {@code 1.23 s}. */
  public static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.2f s", seconds);
  }

  /** Writes a number with its noun, for example {@code 1 file} or {@code 3 files}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
