package org.braid.hdfs.engine;

import java.util.OptionalDouble;

/**
 * How fast the workers run a plan at first, and what it is for.
 *
 * @param rate bytes of each value a second; infinite: as fast as can be
 * @param work what it is for, which workers count apart; empty: for a reader
 */
public record RunPace(double rate, String work) {
  /** For readers, who wait. */
  public static final RunPace FREE = new RunPace(Double.POSITIVE_INFINITY, "");

  /** The rate as workers are told; empty: none. */
  OptionalDouble told() {
    return Double.isInfinite(rate) ? OptionalDouble.empty() : OptionalDouble.of(rate);
  }
}
