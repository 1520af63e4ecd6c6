package org.braid.sim.durability;

/** Units of time; everything in this package is in seconds. */
public final class Times {
  /** A year of 365.25 days. */
  public static final double YEAR = 365.25 * 86_400;

  private Times() {}

  static double requirePositive(String what, double seconds) {
    if (!(seconds > 0)) {
      throw new IllegalArgumentException(
          what + " of " + seconds + " seconds, needed is more than 0");
    }
    return seconds;
  }

  static double requireFinite(String what, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          what + " of " + value + ", needed is a number of at least 0");
    }
    return value;
  }
}
