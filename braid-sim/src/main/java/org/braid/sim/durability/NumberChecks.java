package org.braid.sim.durability;

/** Checks of numbers, with messages that name them. */
final class NumberChecks {
  private NumberChecks() {}

  static void requirePositive(String what, double seconds) {
    if (!(seconds > 0)) {
      throw new IllegalArgumentException(what + " of " + seconds + " seconds: must be more than 0");
    }
  }

  static void requireFinite(String what, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          what + " of " + value + ": must be a number of at least 0");
    }
  }
}
