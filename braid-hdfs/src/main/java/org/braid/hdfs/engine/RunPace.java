package org.braid.hdfs.engine;

import java.util.OptionalDouble;
import org.braid.hdfs.metrics.Cause;

/**
 * The initial rate of a plan at its workers, and its purpose.
 *
 * @param rate bytes of each value a second; infinite for no limit
 * @param work its class of work, which workers count separately; empty for a reader
 * @param cause its purpose in more detail
 */
public record RunPace(double rate, String work, Cause cause) {
  /** The pace for waiting readers: no limit. */
  public static final RunPace FREE = new RunPace(Double.POSITIVE_INFINITY, "", Cause.DEGRADED_READ);

  /** The rate in requests to workers; empty for no limit. */
  OptionalDouble told() {
    return Double.isInfinite(rate) ? OptionalDouble.empty() : OptionalDouble.of(rate);
  }
}
