package org.braid.cli.bench.planning;

import org.braid.cli.bench.planning.PlanningBench.Measured;

/**
 * A line of the table.
 *
 * @param what what was measured, for example {@code repair plan, rs-6-3, star}
 * @param unit of the figures
 * @param measured the figures
 * @param paper the figure of the paper, empty when it has none
 * @param goal the goal in words, empty when there is none
 * @param reached whether it was reached: {@code yes}, {@code no}, {@code -} where there is none or
 *     the sizes are others than the goal's
 */
record Row(String what, String unit, Measured measured, String paper, String goal, String reached) {
  static final String YES = "yes";
  static final String NO = "no";
  static final String OPEN = "-";

  static Row peer(String what, String unit, Measured measured, String paper) {
    return new Row(what, unit, measured, paper, "", OPEN);
  }
}
