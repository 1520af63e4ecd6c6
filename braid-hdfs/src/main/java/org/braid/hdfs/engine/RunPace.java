package org.braid.hdfs.engine;

import java.util.OptionalDouble;
import org.braid.hdfs.metrics.Cause;

/**
 * How fast the workers run a plan at first, and what it is for.
 *
 * @param rate bytes of each value a second; infinite: as fast as can be
 * @param work what it is for, which workers count apart; empty: for a reader
 * @param cause the same in more detail
 */
public record RunPace(double rate, String work, Cause cause) {
  /** For readers, who wait. */
  public static final RunPace FREE = new RunPace(Double.POSITIVE_INFINITY, "", Cause.DEGRADED_READ);

  /** The rate as workers are told; empty: none. */
  OptionalDouble told() {
    return Double.isInfinite(rate) ? OptionalDouble.empty() : OptionalDouble.of(rate);
  }
}
