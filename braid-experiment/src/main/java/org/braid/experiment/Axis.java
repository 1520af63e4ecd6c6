package org.braid.experiment;

import java.util.List;

/**
 * A setting that an experiment varies.
 *
 * @param name the setting
 * @param values in order, each once
 * @param location where the file names it
 */
public record Axis(String name, List<String> values, SourceLocation location) {
  public Axis {
    values = List.copyOf(values);
  }
}
