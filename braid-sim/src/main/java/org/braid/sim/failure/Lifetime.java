package org.braid.sim.failure;

import java.util.random.RandomGenerator;
import org.apache.commons.math3.special.Gamma;
import org.braid.sim.time.RandomStreams;
import org.jspecify.annotations.Nullable;

/**
 * Weibull distribution of the time until something fails; with shape 1 it is exponential. With a
 * shape below 1 young things fail most, with one above 1 old things do.
 *
 * <p>The cumulative hazard at age x is (x / scale)^shape. A lifetime ends when its cumulative
 * hazard reaches a draw from the exponential distribution of mean 1.
 */
public final class Lifetime {
  /** The lifetime of what never fails. */
  public static final Lifetime ENDLESS = new Lifetime(Double.POSITIVE_INFINITY, 1);

  /** With lower shapes the density near age 0 is too steep to sample well. */
  private static final double LEAST_SHAPE = 0.2;

  private static final double MOST_SHAPE = 20;

  private final double mean;
  private final double shape;
  private final double scale;

  /**
   * A Weibull distribution.
   *
   * @param mean seconds; infinite for what never fails
   * @param shape 0.2 to 20
   */
  public Lifetime(double mean, double shape) {
    if (!(mean > 0)) {
      throw new IllegalArgumentException(
          "a mean lifetime of " + mean + " seconds: must be more than 0");
    }
    if (!(shape >= LEAST_SHAPE && shape <= MOST_SHAPE)) {
      throw new IllegalArgumentException(
          "Weibull shape "
              + shape
              + ": must be "
              + LEAST_SHAPE
              + " to "
              + MOST_SHAPE
              + "; 1 is exponential");
    }
    this.mean = mean;
    this.shape = shape;
    this.scale = mean / Gamma.gamma(1 + 1 / shape);
  }

  /** An exponential distribution with a mean in seconds. */
  public static Lifetime exponential(double mean) {
    return new Lifetime(mean, 1);
  }

  /** The mean in seconds; infinite for what never fails. */
  public double mean() {
    return mean;
  }

  /** Whether the hazard is the same at every age. */
  public boolean isExponential() {
    return shape == 1;
  }

  /** Whether it never ends. */
  public boolean isEndless() {
    return Double.isInfinite(mean);
  }

  /** Long-run failures a second of something that is replaced whenever it fails. */
  public double rate() {
    return 1 / mean;
  }

  /** Cumulative hazard between two ages in seconds. */
  public double hazard(double from, double to) {
    if (isEndless()) {
      return 0;
    }
    if (isExponential()) {
      return (to - from) / mean;
    }
    return Math.pow(to / scale, shape) - Math.pow(Math.max(0, from) / scale, shape);
  }

  /** Hazard rate at an age in seconds, a second. */
  public double rateAt(double age) {
    if (isExponential() || isEndless()) {
      return 1 / mean;
    }
    return shape / scale * Math.pow(Math.max(1, age) / scale, shape - 1);
  }

  /**
   * Draws the age at a random time of something that is replaced whenever it fails. The density of
   * an age is the probability to survive it over the mean.
   */
  public double age(RandomGenerator random) {
    if (isExponential()) {
      return 0;
    }
    return scale * Math.pow(gamma(1 / shape, random), 1 / shape);
  }

  /**
   * Draws from the gamma distribution of scale 1 (Marsaglia and Tsang, "A Simple Method for
   * Generating Gamma Variables").
   */
  private static double gamma(double shape, RandomGenerator random) {
    if (shape < 1) {
      double u = 1 - random.nextDouble();
      return gamma(shape + 1, random) * Math.pow(u, 1 / shape);
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double z = random.nextGaussian();
      double v = Math.pow(1 + c * z, 3);
      if (v > 0 && Math.log(1 - random.nextDouble()) < 0.5 * z * z + d - d * v + d * Math.log(v)) {
        return d * v;
      }
    }
  }

  /** Draws a lifetime in seconds; infinite for what never fails. */
  public double draw(RandomGenerator random) {
    if (isEndless()) {
      return mean;
    }
    double hazard = RandomStreams.exponential(1, random);
    return isExponential() ? hazard * mean : scale * Math.pow(hazard, 1 / shape);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Lifetime life && life.mean == mean && life.shape == shape;
  }

  @Override
  public int hashCode() {
    return Double.hashCode(mean) * 31 + Double.hashCode(shape);
  }

  @Override
  public String toString() {
    return isEndless() ? "endless" : mean + " s" + (isExponential() ? "" : ", shape " + shape);
  }
}
