package org.braid.hdfs.api;

import java.util.function.Consumer;

/**
 * How a cluster is watched.
 *
 * @param shape of repairs: {@code star}, {@code ppr}, {@code chain}, {@code racktree} or {@code
 *     auto}
 * @param parallel stripes at once, at least 1
 * @param sliceBytes bytes of a slice, a positive multiple of 512
 * @param seed of the random choices
 * @param policy how the repairs are scheduled
 * @param intervalMillis interval of searches for lost blocks, at least 100
 * @param policyMillis interval of walks through all files for policies, at least 100
 * @param stop ends the watch
 * @param journal gets one line for each event: work that was done, a change of the lease, a problem
 * @param alive hears regularly that the watch works or waits for the lease
 */
public record WatchRequest(
    String shape,
    int parallel,
    int sliceBytes,
    long seed,
    RepairPolicy policy,
    long intervalMillis,
    long policyMillis,
    StopSignal stop,
    Consumer<String> journal,
    Progress alive) {
  /** Default interval of walks through all files for policies. */
  public static final long POLICY_MILLIS = 3_600_000;

  /** A request with the default interval for policies and without a listener for signs of life. */
  public WatchRequest(
      String shape,
      int parallel,
      int sliceBytes,
      long seed,
      RepairPolicy policy,
      long intervalMillis,
      StopSignal stop,
      Consumer<String> journal) {
    this(
        shape,
        parallel,
        sliceBytes,
        seed,
        policy,
        intervalMillis,
        POLICY_MILLIS,
        stop,
        journal,
        Progress.SILENT);
  }

  public WatchRequest {
    if (Math.min(intervalMillis, policyMillis) < 100) {
      throw new IllegalArgumentException(
          "an interval of "
              + Math.min(intervalMillis, policyMillis)
              + " ms is too short: at least 100 ms are needed");
    }
  }

  /**
   * The request of each repair.
   *
   * @param progress hears of progress
   */
  public RepairRequest repair(Progress progress) {
    return new RepairRequest("/", shape, parallel, sliceBytes, seed, policy, progress);
  }

  /** The same with another listener. */
  public WatchRequest withAlive(Progress other) {
    return new WatchRequest(
        shape,
        parallel,
        sliceBytes,
        seed,
        policy,
        intervalMillis,
        policyMillis,
        stop,
        journal,
        other);
  }
}
