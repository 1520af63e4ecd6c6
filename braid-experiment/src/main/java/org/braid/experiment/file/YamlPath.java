package org.braid.experiment.file;

import java.util.Map;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.SourceLocation;

/**
 * A key or an item of a YAML file.
 *
 * @param file as messages call it
 * @param lines of all paths
 * @param path for example {@code /claims/0/goal}; empty for the file as a whole
 */
public record YamlPath(String file, Map<String, Integer> lines, String path) {
  /** A key or the number of an item below this. */
  public YamlPath at(Object key) {
    return new YamlPath(file, lines, path + "/" + key);
  }

  /** Where it starts; where what it would be in starts if it is not there. */
  public SourceLocation location() {
    String known = path;
    while (!lines.containsKey(known) && !known.isEmpty()) {
      known = known.substring(0, known.lastIndexOf('/'));
    }
    return new SourceLocation(file, lines.getOrDefault(known, 1));
  }

  /** An error about it. */
  public ExperimentException wrong(String message) {
    return location().wrong(message);
  }
}
