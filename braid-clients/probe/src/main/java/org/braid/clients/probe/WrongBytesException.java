package org.braid.clients.probe;

import java.io.IOException;

/** What must never happen. */
final class WrongBytesException extends IOException {
  private static final long serialVersionUID = 1;

  WrongBytesException(String message) {
    super("WRONG BYTES: " + message);
  }
}
