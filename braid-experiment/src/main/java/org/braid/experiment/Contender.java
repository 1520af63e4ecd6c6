package org.braid.experiment;

import java.util.Map;

/**
 * One of the systems that an experiment compares.
 *
 * @param name as claims and rows write it
 * @param label as charts write it
 * @param settings in which it differs from the others
 * @param place where the file names it
 */
public record Contender(
    String name, String label, Map<String, Settings.Value> settings, Place place) {
  public Contender {
    settings = Map.copyOf(settings);
  }
}
