package org.braid.cli.bench.planning;

import org.braid.cli.bench.planning.PlanningBenchmarks.Measured;

/**
 * A row of the table.
 *
 * @param what name of the measurement, for example {@code repair plan, rs-6-3, star}
 * @param unit of the figures
 * @param measured the figures
 * @param paper the paper's figure; empty without one
 * @param goal the goal as text; empty without one
 * @param reached whether the goal was reached: {@code yes}, {@code no}, or {@code -} without a goal
 *     for these sizes
 */
record BenchmarkRow(
    String what, String unit, Measured measured, String paper, String goal, String reached) {
  static final String YES = "yes";
  static final String NO = "no";
  static final String OPEN = "-";

  static BenchmarkRow peer(String what, String unit, Measured measured, String paper) {
    return new BenchmarkRow(what, unit, measured, paper, "", OPEN);
  }
}
