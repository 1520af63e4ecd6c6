package org.braid.experiment;

import java.util.Map;

/**
 * A figure that another experiment measured, perhaps on another engine: the median of its rows.
 *
 * @param experiment its name, for example {@code ear/exp2}
 * @param engine on which it ran, for example {@code lab}
 * @param system of that experiment
 * @param at a value of each of its axes
 * @param measure of its workload
 * @param times the factor of a figure, for a difference in units
 */
public record Reference(
    String experiment,
    String engine,
    String system,
    Map<String, String> at,
    String measure,
    double times) {
  public Reference {
    at = Map.copyOf(at);
  }

  /** Where it comes from, in words. */
  public String origin() {
    return experiment + " on " + engine;
  }
}
