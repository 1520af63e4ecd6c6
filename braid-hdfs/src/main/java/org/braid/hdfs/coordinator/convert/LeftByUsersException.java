package org.braid.hdfs.coordinator.convert;

import java.io.IOException;

/**
 * A stripe cannot be finished because of concurrent actions of users. Nothing failed; its files
 * keep their replicas.
 */
final class LeftByUsersException extends IOException {
  private static final long serialVersionUID = 1;

  private final String cause;

  /**
   * Creates the exception.
   *
   * @param cause a stable word: {@code HELD} where a snapshot, a writer or a {@code fsck} holds
   *     replicas, {@code CHANGED} where blocks were deleted or changed
   */
  LeftByUsersException(String cause, String message) {
    super(message);
    this.cause = cause;
  }

  /** Returns the cause. */
  String word() {
    return cause;
  }
}
