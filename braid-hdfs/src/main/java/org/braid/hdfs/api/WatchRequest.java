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
 * @param stop ends it
 * @param journal hears in one line each what was done
 */
public record WatchRequest(
    String shape,
    int parallel,
    int sliceBytes,
    long seed,
    RepairPolicy policy,
    long intervalMillis,
    StopSignal stop,
    Consumer<String> journal) {
  public WatchRequest {
    if (intervalMillis < 100) {
      throw new IllegalArgumentException(
          "an interval of " + intervalMillis + " ms is too short: at least 100 ms are needed");
    }
  }

  /** The repair that is done again and again. */
  public RepairRequest repair() {
    return new RepairRequest("/", shape, parallel, sliceBytes, seed, policy, Progress.SILENT);
  }
}
