package org.braid.experiment;

/**
 * The file and line of a value, as messages name it.
 *
 * @param file or where else the value comes from, such as {@code --set}
 * @param line from 1; 0 when there are no lines
 */
public record SourceLocation(String file, int line) {
  /** An error about the value at this location. */
  public ExperimentException wrong(String message) {
    return ExperimentException.wrong(this + ": " + message);
  }

  @Override
  public String toString() {
    return line > 0 ? file + ":" + line : file;
  }
}
