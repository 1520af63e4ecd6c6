package org.braid.sim.failure;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long something lives: a Weibull distribution, of which the exponential is the case of shape
 * 1. Below 1 the young fail most, above 1 the old do.
 *
 * <p>The cumulative hazard at age x is (x / scale)^shape; whoever spends an exponential amount of
 * it dies.
 */
public final class Lifetime {
  /** What never fails. */
  public static final Lifetime ENDLESS = new Lifetime(Double.POSITIVE_INFINITY, 1);

  /** Below it the density of the young is too steep to be drawn well, above it hardly rises. */
  private static final double LEAST_SHAPE = 0.2;

  private static final double MOST_SHAPE = 20;

  private final double mean;
  private final double shape;
  private final double scale;

  /**
   * A life.
   *
   * @param mean seconds; infinite for what never fails
   * @param shape of the Weibull distribution, 0.2 to 20
   */
  public Lifetime(double mean, double shape) {
    if (!(mean > 0)) {
      throw new IllegalArgumentException(
          "a mean life of " + mean + " seconds, needed is more than 0");
    }
    if (!(shape >= LEAST_SHAPE && shape <= MOST_SHAPE)) {
      throw new IllegalArgumentException(
          "Weibull shape "
              + shape
              + ", needed is "
              + LEAST_SHAPE
              + " to "
              + MOST_SHAPE
              + "; 1 is exponential");
    }
    this.mean = mean;
    this.shape = shape;
    this.scale = mean / Math.exp(Gamma.log(1 + 1 / shape));
  }

  /** An exponential life of a mean in seconds. */
  public static Lifetime exponential(double mean) {
    return new Lifetime(mean, 1);
  }

  /** The mean, in seconds; infinite for what never fails. */
  public double mean() {
    return mean;
  }

  /** The shape of the Weibull distribution. */
  public double shape() {
    return shape;
  }

  /** Whether age does not matter. */
  public boolean isExponential() {
    return shape == 1;
  }

  /** Whether it never ends. */
  public boolean isEndless() {
    return Double.isInfinite(mean);
  }

  /** Failures a second of something that is replaced whenever it fails, over a long time. */
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

  /** The hazard at an age in seconds, a second. */
  public double rateAt(double age) {
    if (isExponential() || isEndless()) {
      return 1 / mean;
    }
    return shape / scale * Math.pow(Math.max(1, age) / scale, shape - 1);
  }

  /**
   * The age of something at a random time, in a population whose members are replaced whenever they
   * fail: its density is the share that survives an age, over the mean life.
   */
  public double age(RandomGenerator random) {
    if (isExponential()) {
      return 0;
    }
    return scale * Math.pow(Gamma.draw(1 / shape, random), 1 / shape);
  }

  /** The life of something new, in seconds; infinite for what never fails. */
  public double draw(RandomGenerator random) {
    if (isEndless()) {
      return mean;
    }
    double spent = -Math.log1p(-random.nextDouble());
    return isExponential() ? spent * mean : scale * Math.pow(spent, 1 / shape);
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
