package org.braid.experiment.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.braid.experiment.Axis;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Workload;

/**
 * The columns of a file of results: the common ones, then one for each axis and one for each
 * measure.
 */
final class Columns {
  static final String EXPERIMENT = "experiment";
  static final String ENGINE = "engine";
  static final String TRIAL = "trial";
  static final String TRIALS = "trials";
  static final String SYSTEM = "system";
  static final String REPETITION = "repetition";
  static final String STATE = "state";
  static final String ATTEMPTS = "attempts";
  static final String NOTE = "note";
  static final String SEED = "seed";
  static final String DATE = "date";
  static final String TOOK = "took";
  static final String LOAD = "load1m";
  static final String COMMIT = "commit";
  static final String CPU = "cpu";
  static final String CORES = "cores";
  static final String KERNEL = "kernel";
  static final String OS = "os";
  static final String JVM = "jvm";
  static final String OPTIONS = "options";
  static final String SETTINGS = "settings";

  /** Not in files of former versions. */
  static final String SYSTEM_SETTINGS = "system_settings";

  static final List<String> BEFORE =
      List.of(EXPERIMENT, ENGINE, TRIAL, TRIALS, SYSTEM, REPETITION, STATE);
  static final List<String> AFTER =
      List.of(
          ATTEMPTS,
          NOTE,
          SEED,
          DATE,
          TOOK,
          LOAD,
          COMMIT,
          CPU,
          CORES,
          KERNEL,
          OS,
          JVM,
          OPTIONS,
          SETTINGS,
          SYSTEM_SETTINGS);

  private Columns() {}

  /** The header: axes and measures stand in the middle. */
  static List<String> header(List<String> axes, List<String> measures) {
    List<String> header = new ArrayList<>(BEFORE);
    header.addAll(axes);
    header.addAll(measures);
    header.addAll(AFTER);
    return header;
  }

  /** Refuses names that would make two columns one. */
  static void check(Experiment experiment, Workload workload) throws ExperimentException {
    Set<String> taken = new HashSet<>(BEFORE);
    taken.addAll(AFTER);
    for (Measure measure : workload.measures()) {
      if (!taken.add(measure.name())) {
        throw ExperimentException.failed(
            "workload %s has a measure \"%s\", which is a column of all results already"
                .formatted(workload.name(), measure.name()));
      }
    }
    for (Axis axis : experiment.axes()) {
      if (!taken.add(axis.name())) {
        throw axis.location()
            .wrong(
                "axis %s is a column of all results already: vary another".formatted(axis.name()));
      }
    }
  }
}
