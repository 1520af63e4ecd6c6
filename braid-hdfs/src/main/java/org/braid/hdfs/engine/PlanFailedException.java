package org.braid.hdfs.engine;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A plan failed because of some of its nodes; another plan without them may succeed. */
public final class PlanFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Map<Integer, String> culprits;
  private final transient Set<Integer> silent;
  private final transient Set<Integer> busy;

  /**
   * A failure.
   *
   * @param culprits by node of the plan, those that failed, and why
   * @param silent nodes that did not answer
   * @param busy nodes that were busy
   */
  public PlanFailedException(
      String message,
      @Nullable Throwable cause,
      Map<Integer, String> culprits,
      Set<Integer> silent,
      Set<Integer> busy) {
    super(message, cause);
    this.culprits = Map.copyOf(culprits);
    this.silent = Set.copyOf(silent);
    this.busy = Set.copyOf(busy);
  }

  /** A failure without a known node at fault. */
  public PlanFailedException(String message, @Nullable Throwable cause) {
    this(message, cause, Map.of(), Set.of(), Set.of());
  }

  /** The failure of one node. */
  public static PlanFailedException at(int node, String message, @Nullable Throwable cause) {
    return new PlanFailedException(message, cause, Map.of(node, message), Set.of(), Set.of());
  }

  /** Nodes that certainly failed, and why. */
  public Map<Integer, String> culprits() {
    return culprits;
  }

  /** Nodes that did not answer. */
  public Set<Integer> silent() {
    return silent;
  }

  /** Nodes that were busy. */
  public Set<Integer> busy() {
    return busy;
  }

  /** Whether no node failed and some were busy: the same plan may succeed later. */
  public boolean isBusy() {
    return !busy.isEmpty() && failed().isEmpty();
  }

  /** The same failure with busy nodes as failed ones, as they were busy for too long. */
  public PlanFailedException lasting() {
    Map<Integer, String> all = new TreeMap<>(culprits);
    busy.forEach(node -> all.putIfAbsent(node, String.valueOf(getMessage())));
    return new PlanFailedException(String.valueOf(getMessage()), this, all, silent, busy);
  }

  /** Nodes that the next attempt should avoid. */
  public Set<Integer> failed() {
    Set<Integer> all = new TreeSet<>(silent);
    all.addAll(culprits.keySet());
    return all;
  }
}
