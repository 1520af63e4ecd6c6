package org.braid.sim.load;

/** A mean of values that are added one by one. */
final class RunningMean {
  private double sum;
  private long count;

  void add(double value) {
    sum += value;
    count++;
  }

  /** Number of values. */
  long count() {
    return count;
  }

  /** The mean; NaN without values. */
  double value() {
    return sum / count;
  }
}
