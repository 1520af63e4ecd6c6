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
   * @throws PlanFailedException when a fragment failed or a worker fell silent; the others were
   *     told to stop
   */
  public HdfsResult run(HdfsJob job) throws IOException {
    return prepare(job).run();
  }

  /** A run that has not begun, for callers that watch it or give it up. */
  public HdfsRun prepare(HdfsJob job) {
    return prepare(job, RunPace.FREE);
  }

  /**
   * The same at a pace.
   *
   * @param pace how fast it begins; who asks changes it at the workers by the run's name
   */
  public HdfsRun prepare(HdfsJob job, RunPace pace) {
    return new HdfsRun(workers, job, pace);
  }
}
