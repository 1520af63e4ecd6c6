package org.braid.experiment;

import java.util.Map;

/**
 * One of the systems that an experiment compares.
 *
 * @param name as claims and rows write it
 * @param label as charts write it
 * @param settings in which it differs from the others
 */
public record ComparedSystem(
    String name, String label, Map<String, WorkloadSettings.Value> settings) {
  public ComparedSystem {
    settings = Map.copyOf(settings);
  }
}
