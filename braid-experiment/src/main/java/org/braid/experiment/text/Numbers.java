package org.braid.experiment.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** How measured numbers are written for people: four digits say all that a measurement knows. */
public final class Numbers {
  private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_UP);

  private Numbers() {}

  /** A number with four digits, for example {@code 12.35}, {@code 1234000} or {@code 1.235e-7}. */
  public static String plain(double value) {
    if (!Double.isFinite(value)) {
      return String.valueOf(value);
    }
    if (value == 0) {
      return "0";
    }
    double size = Math.abs(value);
    if (size < 1e-4 || size >= 1e9) {
      return String.format(Locale.ROOT, "%.3e", value);
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    return rounded.toPlainString();
  }

  /** A number with at most some digits, without an exponent, for example {@code 0.59}. */
  public static String exact(double value, MathContext digits) {
    return BigDecimal.valueOf(value).round(digits).stripTrailingZeros().toPlainString();
  }

  /** A share as a percentage, for example {@code 59.3%}. */
  public static String percent(double share) {
    return Double.isFinite(share)
        ? String.format(Locale.ROOT, "%.1f%%", 100 * share)
        : String.valueOf(share);
  }

  /** A number with its unit; bytes get one that fits. */
  public static String of(double value, String unit) {
    return switch (unit) {
      case "" -> plain(value);
      case "B" -> value >= 0 && value < 1L << 62 ? Sizes.format(Math.round(value)) : plain(value);
      case "B/s" -> of(value, "B") + "/s";
      case "%" -> plain(value) + "%";
      default -> plain(value) + " " + unit;
    };
  }
}
