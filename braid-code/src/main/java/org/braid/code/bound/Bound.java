package org.braid.code.bound;

import java.util.function.ToDoubleFunction;

/**
 * A bound: a value that no code with the same parameters can beat.
 *
 * @param name starts with {@code bound-}
 * @param description one line
 * @param source the paper that proves it
 * @param quantity the bounded quantity, with its unit
 * @param side whether it is a lower or an upper bound
 * @param value computes the bound from a code's parameters, in the quantity's unit
 */
public record Bound(
    String name,
    String description,
    String source,
    Quantity quantity,
    Side side,
    ToDoubleFunction<CodeParameters> value) {
  /** The bounded quantity. */
  public enum Quantity {
    /** Repair traffic of one lost block, averaged over all blocks of a stripe. */
    REPAIR_TRAFFIC("blocks"),
    /** Repair traffic of each helper for one lost block, averaged over all blocks. */
    HELPER_TRAFFIC("blocks a helper"),
    /** Minimum distance: the least number of blocks whose loss can be fatal. */
    DISTANCE("blocks"),
    /** Stored bytes for each byte of data. */
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

  /** Lower or upper bound. */
  public enum Side {
    /** A lower bound: no code has less. */
    AT_LEAST,
    /** An upper bound: no code has more. */
    AT_MOST
  }

  /** The bound for a code's parameters. */
  public double at(CodeParameters parameters) {
    return value.applyAsDouble(parameters);
  }
}
