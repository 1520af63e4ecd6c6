package org.braid.hdfs.client;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** A degraded read failed on account of others than the client; another try may do. */
final class HelperException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Map<Integer, String> culprits;
  private final transient Set<Integer> busy;

  /**
   * A failure.
   *
   * @param culprits by position in the stripe, helpers that surely failed, and why
   * @param busy positions of helpers that refused for the moment
   */
  HelperException(Map<Integer, String> culprits, Set<Integer> busy, IOException cause) {
    super(cause.getMessage(), cause);
    this.culprits = Map.copyOf(culprits);
    this.busy = Set.copyOf(busy);
  }

  Map<Integer, String> culprits() {
    return culprits;
  }

  Set<Integer> busy() {
    return busy;
  }
}
