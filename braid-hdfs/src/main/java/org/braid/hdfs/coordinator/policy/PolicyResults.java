package org.braid.hdfs.coordinator.policy;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.rpc.Rpc;

/** Counts the results of each policy since the start of the daemon. Thread-safe. */
public final class PolicyResults {
  /** The result for a file or a batch of files. */
  public enum Result {
    /** Files that were converted. */
    CONVERTED,
    /** Files that were restored. */
    RESTORED,
    /** Files that were left alone, once at each walk. */
    LEFT_ALONE,
    /** Batches that wait for the end of a rolling upgrade of HDFS, once at each walk. */
    WAITING,
    /** Batches that the cluster has not the racks or nodes for. */
    REFUSED,
    /** Batches that failed. */
    FAILED;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Map<String, Map<Result, LongAdder>> counts = new ConcurrentSkipListMap<>();

  /** Adds a policy without results. */
  void know(String policy) {
    counts.computeIfAbsent(policy, name -> new ConcurrentHashMap<>());
  }

  /** Adds to the count of a result. */
  void add(String policy, Result result, long times) {
    counts
        .computeIfAbsent(policy, name -> new ConcurrentHashMap<>())
        .computeIfAbsent(result, name -> new LongAdder())
        .add(times);
  }

  /**
   * Counts a batch that ended in an exception as failed, unless it was interrupted because its
   * policy may not go on: the policy was paused or changed, or its window has closed.
   *
   * @param works whether the policy may go on
   * @return whether the batch has failed
   */
  boolean failed(String policy, IOException failure, boolean works) {
    if (!works && Rpc.isInterrupt(failure)) {
      return false;
    }
    add(policy, Result.FAILED, 1);
    return true;
  }

  /** Adds the counts to the metrics of a daemon. */
  public void addTo(DaemonMetrics metrics) {
    metrics.family("Policy", this::rows);
  }

  private void rows(DaemonMetrics.Rows rows) {
    counts.forEach(
        (policy, results) -> {
          for (Result result : Result.values()) {
            LongAdder count = results.get(result);
            rows.row("Policy", policy, "Result", result.word())
                .counter(
                    "Results",
                    "Files converted, restored and left alone, and batches waiting, refused and failed",
                    count == null ? 0 : count.sum());
          }
        });
  }
}
