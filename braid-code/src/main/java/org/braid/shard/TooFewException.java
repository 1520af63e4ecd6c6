package org.braid.shard;

/** What is left does not determine what is wanted, or the result is not what it should be. */
final class TooFewException extends Exception {
  private static final long serialVersionUID = 1L;

  TooFewException(String message) {
    super(message);
  }
}
