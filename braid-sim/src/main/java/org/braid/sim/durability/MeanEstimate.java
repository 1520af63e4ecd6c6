package org.braid.sim.durability;

/**
 * A mean of independent draws with its 95 % confidence interval.
 *
 * @param mean of all draws
 * @param error standard error of the mean
 * @param draws number of draws
 */
public record MeanEstimate(double mean, double error, long draws) {
  /** A normal variable is within so many standard deviations in 95 % of draws. */
  private static final double QUANTILE = 1.959963984540054;

  /** The lower end of the interval, at least 0. */
  public double low() {
    return Math.max(0, mean - QUANTILE * error);
  }

  /** The upper end of the interval. */
  public double high() {
    return mean + QUANTILE * error;
  }

  /** Half the width of the interval over the mean; infinite when the mean is 0. */
  public double precision() {
    return mean > 0 ? QUANTILE * error / mean : Double.POSITIVE_INFINITY;
  }

  /** Whether a value is in the interval after its width is multiplied. */
  public boolean holds(double value, double times) {
    return Math.abs(value - mean) <= times * QUANTILE * error;
  }

  /** The estimate of the draws times a factor. */
  public MeanEstimate times(double factor) {
    return new MeanEstimate(mean * factor, error * factor, draws);
  }
}
