package org.braid.experiment;

import java.util.Map;

/**
 * One of the systems that an experiment compares.
 *
 * @param name its name in claims and rows
 * @param label its name in charts
 * @param settings in which it differs from the others
 */
public record ComparedSystem(
    String name, String label, Map<String, WorkloadSettings.Value> settings) {
  public ComparedSystem {
    settings = Map.copyOf(settings);
  }
}
