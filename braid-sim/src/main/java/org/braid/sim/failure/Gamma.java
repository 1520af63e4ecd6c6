package org.braid.sim.failure;

import java.util.random.RandomGenerator;

/** The gamma function and its distribution, as far as Weibull lives need them. */
public final class Gamma {
  /** Lanczos's coefficients for g = 7 and nine terms. */
  private static final double[] LANCZOS = {
    0.9999999999998099,
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-6,
    1.5056327351493116e-7
  };

  private Gamma() {}

  /** The logarithm of the gamma function of x above 0.5. */
  public static double log(double x) {
    double sum = LANCZOS[0];
    for (int i = 1; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (x - 1 + i);
    }
    double t = x + 6.5;
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }

  /**
   * A draw of a gamma distribution of scale 1 (Marsaglia and Tsang, "A Simple Method for Generating
   * Gamma Variables").
   */
  static double draw(double shape, RandomGenerator random) {
    if (shape < 1) {
      double u = 1 - random.nextDouble();
      return draw(shape + 1, random) * Math.pow(u, 1 / shape);
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
}
