package org.braid.cli.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Numbers on a line of a drawing.
 *
 * @param from the number at the line's start
 * @param to the number at its end, above {@code from}
 * @param start where the line starts in the drawing
 * @param end where it ends; below {@code start} for a line that goes up
 */
record Scale(double from, double to, double start, double end) {
  /**
   * A line from a round number to another, which has all numbers between two others.
   *
   * @param count about how many ticks
   */
  static Scale around(double low, double high, int count, double start, double end) {
    double top = high > low ? high : low + Math.max(1, Math.abs(low));
    double step = step(top - low, count);
    return new Scale(Math.floor(low / step) * step, Math.ceil(top / step) * step, start, end);
  }

  /** The position of a number. */
  double at(double value) {
    return start + (end - start) * (value - from) / (to - from);
  }

  /** Round numbers on the axis, about as many as asked for. */
  List<Double> ticks(int count) {
    double step = step(to - from, count);
    List<Double> ticks = new ArrayList<>();
    for (long i = (long) Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  /**
   * The smallest step of 1, 2, 5, 10, ... that divides a span into at most the given number of
   * parts.
   */
  static double step(double span, int count) {
    double raw = span / count;
    double magnitude = Math.pow(10, Math.floor(Math.log10(raw)));
    double step = magnitude;
    for (double factor : new double[] {2, 5, 10}) {
      step = step < raw ? magnitude * factor : step;
    }
    return step;
  }
}
