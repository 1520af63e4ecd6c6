package org.braid.experiment;

import java.util.List;
import java.util.Map;

/**
 * Something that can be measured, for example the repair of one block; an engine has a hand-written
 * registry of those it offers.
 */
public interface Workload {
  /** The name that experiment files use. */
  String name();

  /** What one trial does, as one sentence. */
  String description();

  /**
   * Every setting that it knows, with its default. A setting that stands in an experiment's file
   * but not here is an error.
   */
  Map<String, String> defaults();

  /** What {@link Session#run} returns, in the order in which tables show it. */
  List<Measure> measures();

  /**
   * Prepares what all trials of an experiment share; the session is closed after the last trial, on
   * failure and when the run is interrupted.
   *
   * @param progress is told what takes long
   * @throws ExperimentException when it cannot be run here
   */
  Session open(Experiment experiment, Progress progress)
      throws ExperimentException, InterruptedException;
}
