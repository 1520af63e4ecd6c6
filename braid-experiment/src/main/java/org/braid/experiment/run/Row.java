package org.braid.experiment.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of one trial.
 *
 * @param trial its number, from 1, in the order of the run
 * @param point the value of each axis
 * @param figures by name of a measure; none when it failed
 * @param attempts how often it was run
 * @param note why it failed or is doubtful; empty otherwise
 * @param date when it ended, in UTC as ISO 8601 writes it
 * @param took seconds of all attempts
 * @param load of the machine over the last minute, in processes; negative where it does not tell
 */
public record Row(
    int trial,
    Map<String, String> point,
    String system,
    int repetition,
    long seed,
    State state,
    Map<String, Double> figures,
    int attempts,
    String note,
    String date,
    double took,
    double load) {
  /** How much a row is worth. */
  public enum State {
    OK,
    /** The trial ran under other conditions than intended. */
    DOUBTFUL,
    FAILED
  }

  public Row {
    point = Collections.unmodifiableMap(new LinkedHashMap<>(point));
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }
}
