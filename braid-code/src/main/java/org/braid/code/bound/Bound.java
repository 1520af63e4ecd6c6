package org.braid.code.bound;

import java.util.function.ToDoubleFunction;

/**
 * A value that no code of a shape can beat.
 *
 * @param name starts with {@code bound-}
 * @param description one line
 * @param source where it is proven
 * @param quantity what is bounded, and its unit
 * @param side which way
 * @param value the bound for a shape, in the quantity's unit
 */
public record Bound(
    String name,
    String description,
    String source,
    Quantity quantity,
    Side side,
    ToDoubleFunction<Shape> value) {
  /** What a bound is about. */
  public enum Quantity {
    /** Data moved to rebuild one lost block, the mean over all blocks of a stripe. */
    REPAIR_TRAFFIC("blocks"),
    /** The part of its block that each helper sends to rebuild one lost block, likewise. */
    HELPER_TRAFFIC("blocks a helper"),
    /** The least number of blocks whose loss can be fatal. */
    DISTANCE("blocks"),
    /** What is stored for each byte of data. */
    OVERHEAD("times the data");

    private final String unit;

    Quantity(String unit) {
      this.unit = unit;
    }

    /** The unit of the bound's values. */
    public String unit() {
      return unit;
    }
  }

  /** Whether codes stay above or below. */
  public enum Side {
    /** No code has less. */
    AT_LEAST,
    /** No code has more. */
    AT_MOST
  }

  /** The bound for a shape. */
  public double at(Shape shape) {
    return value.applyAsDouble(shape);
  }

  /** Whether a measured value respects the bound; false means that one of the two is wrong. */
  public boolean allows(Shape shape, double measured) {
    // Quotients of small integers: anything beyond rounding is a real difference.
    double slack = 1e-9;
    return side == Side.AT_LEAST ? measured >= at(shape) - slack : measured <= at(shape) + slack;
  }
}
