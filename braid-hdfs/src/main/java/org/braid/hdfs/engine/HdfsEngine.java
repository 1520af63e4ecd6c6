package org.braid.hdfs.engine;

import java.io.IOException;
import org.braid.hdfs.dispatch.Workers;

/**
 * The engine whose values are blocks on DataNodes. Fragments run on the workers of the DataNodes,
 * all at once and slice by slice; where a plan ends at a reader, that fragment runs in this
 * process. Thread-safe.
 */
public final class HdfsEngine {
  private final Workers workers;

  public HdfsEngine(Workers workers) {
    this.workers = workers;
  }

  /**
   * Runs a plan to its end.
   *
   * @throws PlanFailedException when a fragment failed or a worker fell silent; the other fragments
   *     are aborted
   */
  public HdfsResult run(HdfsJob job) throws IOException {
    return prepare(job).run();
  }

  /** Prepares a run, for callers that watch or cancel it. */
  public HdfsRun prepare(HdfsJob job) {
    return prepare(job, RunPace.FREE);
  }

  /**
   * Prepares a run at a pace.
   *
   * @param pace the initial pace, which the caller may change at the workers by the run's name
   */
  public HdfsRun prepare(HdfsJob job, RunPace pace) {
    return new HdfsRun(workers, job, pace);
  }
}
