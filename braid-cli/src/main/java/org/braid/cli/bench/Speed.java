package org.braid.cli.bench;

import java.util.Arrays;

/**
 * Median and quartiles of the speeds of runs.
 *
 * @param median the median
 * @param low the lower quartile
 * @param high the upper quartile
 */
public record Speed(double median, double low, double high) {
  /** The median and quartiles of at least one run. */
  static Speed of(double... runs) {
    double[] sorted = runs.clone();
    Arrays.sort(sorted);
    return new Speed(at(sorted, 0.5), at(sorted, 0.25), at(sorted, 0.75));
  }

  private static double at(double[] sorted, double share) {
    double index = share * (sorted.length - 1);
    int below = (int) index;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (index - below) * (sorted[above] - sorted[below]);
  }
}
