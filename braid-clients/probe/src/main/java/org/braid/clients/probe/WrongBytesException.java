package org.braid.clients.probe;

import java.io.IOException;

/** A read returned wrong bytes, which must never happen. */
final class WrongBytesException extends IOException {
  private static final long serialVersionUID = 1;

  WrongBytesException(String message) {
    super("WRONG BYTES: " + message);
  }
}
