package org.braid.sim.durability;

/**
 * A mean of independent draws.
 *
 * @param mean of all draws
 * @param error standard error of the mean
 * @param draws how many
 */
public record Estimate(double mean, double error, long draws) {
  /** Of a normal distribution, what 95 % are within. */
  private static final double QUANTILE = 1.959963984540054;

  /** What 95 % of such experiments find the true mean above; at least 0. */
  public double low() {
    return Math.max(0, mean - QUANTILE * error);
  }

  /** What 95 % of such experiments find the true mean below. */
  public double high() {
    return mean + QUANTILE * error;
  }

  /** Half of the interval over the mean; infinite when nothing was seen. */
  public double precision() {
    return mean > 0 ? QUANTILE * error / mean : Double.POSITIVE_INFINITY;
  }

  /** Whether a value is in the interval, widened so many times. */
  public boolean holds(double value, double times) {
    return Math.abs(value - mean) <= times * QUANTILE * error;
  }

  /** The same with all draws multiplied. */
  public Estimate times(double factor) {
    return new Estimate(mean * factor, error * factor, draws);
  }
}
