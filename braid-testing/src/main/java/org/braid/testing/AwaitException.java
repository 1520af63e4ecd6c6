package org.braid.testing;

/** What was waited for did not come to pass. */
public final class AwaitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AwaitException(String message) {
    super(message);
  }
}
