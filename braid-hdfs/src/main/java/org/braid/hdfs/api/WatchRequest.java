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
 * @param intervalMillis how often lost blocks are looked for, at least 100
 * @param policyMillis how often all files are looked at for policies, at least 100
 * @param stop ends it
 * @param journal hears in one line each what was done
 * @param alive hears now and then that it works or waits for the lease
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
  /** How often files are looked at for policies unless somebody says otherwise. */
  public static final long POLICY_MILLIS = 3_600_000;

  /** A request that looks for policies' files as often as usual, and that nobody watches. */
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
   * The repair that is done again and again.
   *
   * @param progress hears how far it is
   */
  public RepairRequest repair(Progress progress) {
    return new RepairRequest("/", shape, parallel, sliceBytes, seed, policy, progress);
  }

  /** The same, told to another listener. */
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
