package org.braid.cli.bench;

import java.util.Arrays;

/**
 * How fast something is: a number of each run, and what is in their middle.
 *
 * @param median the middle of all runs
 * @param low a quarter of the runs is below
 * @param high a quarter of the runs is above
 */
public record Speed(double median, double low, double high) {
  /** From the runs' numbers, at least one. */
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
