package org.braid.experiment;

/**
 * Where a value was written.
 *
 * @param file a file, or what else it came from, such as {@code --set}
 * @param line from 1; 0 when there are no lines
 */
public record Place(String file, int line) {
  /** The error that something here is wrong. */
  public ExperimentException wrong(String message) {
    return ExperimentException.wrong(this + ": " + message);
  }

  @Override
  public String toString() {
    return line > 0 ? file + ":" + line : file;
  }
}
