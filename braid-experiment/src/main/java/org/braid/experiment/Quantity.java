package org.braid.experiment;

import java.util.Locale;
import java.util.Map;

/**
 * The quantity of a claim or chart: a measure of a system as it is, or compared with another
 * system, point or measure.
 *
 * @param measure of the system
 * @param form how the two are compared
 * @param against the other side of the comparison; unused for {@link Form#VALUE}
 */
public record Quantity(String measure, Form form, Against against) {
  /** A measure as it is. */
  public static Quantity value(String measure) {
    return new Quantity(measure, Form.VALUE, Against.NOTHING);
  }

  /** How two figures become one. */
  public enum Form {
    /** The figure itself. */
    VALUE,
    /** The figure over the other's. */
    RATIO,
    /** By how much of the other's it is above it. */
    GAIN,
    /** By how much of the other's it is below it. */
    REDUCTION;

    /** As files and messages write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether figures are shares, whose differences are stated in percentage points. */
    public boolean isShare() {
      return this == GAIN || this == REDUCTION;
    }

    /** Compares two figures. */
    public double of(double ours, double other) {
      return switch (this) {
        case VALUE -> ours;
        case RATIO -> ours / other;
        case GAIN -> ours / other - 1;
        case REDUCTION -> 1 - ours / other;
      };
    }
  }

  /**
   * The other side of a comparison; empty components are the same as on this side.
   *
   * @param system another system
   * @param at values of axes in which the other point differs
   * @param measure another measure
   */
  public record Against(String system, Map<String, String> at, String measure) {
    /** No other side. */
    public static final Against NOTHING = new Against("", Map.of(), "");

    public Against {
      at = Map.copyOf(at);
    }
  }
}
