package org.braid.shard.decode;

/** The available cells do not suffice to decode, or the decoded bytes fail their checksum. */
final class UnrecoverableException extends Exception {
  private static final long serialVersionUID = 1L;

  UnrecoverableException(String message) {
    super(message);
  }
}
