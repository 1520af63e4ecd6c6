package org.braid.hdfs.api;

import java.io.IOException;

/** A promise could not be kept, so nothing was changed. The message gives the numbers. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean misuse;

  public RefusedException(String message) {
    super(message);
    misuse = false;
  }

  public RefusedException(String message, Throwable cause) {
    super(message, cause);
    misuse = false;
  }

  private RefusedException(String message, boolean misuse) {
    super(message);
    this.misuse = misuse;
  }

  /** The refusal of what the caller itself has given wrongly, such as a property. */
  public static RefusedException ofMisuse(String message) {
    return new RefusedException(message, true);
  }

  /** Whether the caller itself has given something wrongly. */
  public boolean isMisuse() {
    return misuse;
  }
}
