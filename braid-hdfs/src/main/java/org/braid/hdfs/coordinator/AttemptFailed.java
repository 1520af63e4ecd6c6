package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.Set;

/** A repair that failed as it was scheduled, and may succeed when it is scheduled anew. */
final class AttemptFailed extends IOException {
  private static final long serialVersionUID = 1L;
  private final transient Set<Integer> helpers;
  private final transient Set<String> destinations;

  /**
   * A failure.
   *
   * @param helpers positions that are better not read again
   * @param destinations UUIDs of nodes that are better not written to again
   */
  AttemptFailed(String message, Throwable cause, Set<Integer> helpers, Set<String> destinations) {
    super(message, cause);
    this.helpers = Set.copyOf(helpers);
    this.destinations = Set.copyOf(destinations);
  }

  /** The stripe is not as it was when it was scheduled. */
  AttemptFailed(String message, Set<String> destinations) {
    super(message);
    this.helpers = Set.of();
    this.destinations = Set.copyOf(destinations);
  }

  Set<Integer> helpers() {
    return helpers;
  }

  Set<String> destinations() {
    return destinations;
  }
}
