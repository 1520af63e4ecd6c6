package org.braid.experiment;

import java.util.List;

/**
 * A setting that an experiment varies.
 *
 * @param name the setting
 * @param values in order, each once
 * @param place where the file names it
 */
public record Axis(String name, List<String> values, Place place) {
  public Axis {
    values = List.copyOf(values);
  }
}
