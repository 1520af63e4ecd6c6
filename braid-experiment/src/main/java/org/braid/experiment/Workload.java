package org.braid.experiment;

import java.util.List;
import java.util.Map;

/**
 * A kind of measurement, for example the repair of one block. Each engine has a hand-written
 * registry of its workloads.
 */
public interface Workload {
  /** The name that experiment files use. */
  String name();

  /** Describes one trial in one sentence. */
  String description();

  /**
   * Every setting that it knows, with its default. A setting that stands in an experiment's file
   * but not here is an error.
   */
  Map<String, String> defaults();

  /** What {@link WorkloadSession#run} returns, in the order in which tables show it. */
  List<Measure> measures();

  /**
   * Checks the settings of one system at one point, before anything starts: wrong types, codes that
   * do not fit the topology, more memory than there is.
   *
   * @throws ExperimentException with the key and, by {@link WorkloadSettings#wrong}, its place
   */
  default void check(WorkloadSettings settings) throws ExperimentException {}

  /** In which order its trials are run. */
  default Order order() {
    return Order.REPETITIONS;
  }

  /** The order of trials; in each order the systems alternate at each point. */
  enum Order {
    /** All points once, then all again: what drifts touches all points alike. */
    REPETITIONS,
    /** All repetitions of a point before the next: for points that take long to set up. */
    POINTS
  }

  /**
   * Prepares what all trials of an experiment share; the session is closed after the last trial, on
   * failure and when the run is interrupted.
   *
   * @param progress is told what takes long
   * @throws ExperimentException when it cannot be run here
   */
  WorkloadSession open(Experiment experiment, RunProgress progress)
      throws ExperimentException, InterruptedException;
}
