package org.braid.sim.load;

/** A mean of what is added one by one. */
final class Mean {
  private double sum;
  private long count;

  void add(double value) {
    sum += value;
    count++;
  }

  /** How many were added. */
  long count() {
    return count;
  }

  /** The mean; NaN of nothing. */
  double value() {
    return sum / count;
  }
}
