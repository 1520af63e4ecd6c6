package org.braid.hdfs.coordinator.convert;

import java.io.IOException;

/**
 * What users did meanwhile keeps a stripe from being finished: nothing failed, and its files keep
 * the replicas that they have.
 */
final class LeftByUsersException extends IOException {
  private static final long serialVersionUID = 1;

  private final String cause;

  /**
   * Users did something.
   *
   * @param cause a stable word: {@code HELD} where a snapshot, a writer or a {@code fsck} holds
   *     replicas, {@code CHANGED} where blocks were deleted or changed
   */
  LeftByUsersException(String cause, String message) {
    super(message);
    this.cause = cause;
  }

  /** The word for it. */
  String word() {
    return cause;
  }
}
