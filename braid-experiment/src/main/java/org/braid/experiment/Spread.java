package org.braid.experiment;

import java.util.Arrays;
import java.util.Collection;

/**
 * How figures are distributed. Quartiles are interpolated between the two nearest figures (type 7
 * of Hyndman and Fan, as R and NumPy do unless told otherwise).
 *
 * @param count how many figures
 */
public record Spread(double low, double q1, double median, double q3, double high, int count) {
  /**
   * Of figures.
   *
   * @throws IllegalArgumentException when there are none
   */
  public static Spread of(Collection<Double> figures) {
    if (figures.isEmpty()) {
      throw new IllegalArgumentException("no figures have no median");
    }
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return new Spread(
        sorted[0],
        at(sorted, 0.25),
        at(sorted, 0.5),
        at(sorted, 0.75),
        sorted[sorted.length - 1],
        sorted.length);
  }

  private static double at(double[] sorted, double share) {
    double position = share * (sorted.length - 1);
    int below = (int) position;
    double rest = position - below;
    return rest == 0 ? sorted[below] : sorted[below] * (1 - rest) + sorted[below + 1] * rest;
  }
}
