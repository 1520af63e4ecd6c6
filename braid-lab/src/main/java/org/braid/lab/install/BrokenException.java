package org.braid.lab.install;

/** A step of a drill did not go as promised; the message says what was seen. */
final class BrokenException extends Exception {
  private static final long serialVersionUID = 1;

  BrokenException(String found) {
    super(found);
  }
}
