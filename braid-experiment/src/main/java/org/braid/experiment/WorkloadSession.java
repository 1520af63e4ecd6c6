package org.braid.experiment;

import java.util.Map;

/** A workload that is ready to run trials, one at a time. */
public interface WorkloadSession extends AutoCloseable {
  /**
   * Runs one trial.
   *
   * @return figures by name of a measure, at least one, each finite; what does not apply to a
   *     system is left out
   * @throws DoubtfulException when what was measured is not what was meant to be, for example
   *     because the processor was the bottleneck and not the network: the trial is repeated
   * @throws ExperimentException when the trial failed; the run goes on with the next one unless
   *     {@link ExperimentException#endsRun()}
   */
  Map<String, Double> run(Trial trial) throws ExperimentException, InterruptedException;

  /** Releases the resources of the session. */
  @Override
  void close() throws ExperimentException;
}
