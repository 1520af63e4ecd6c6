package org.braid.lab.install;

/** A step of a drill failed; the message describes the observation. */
final class BrokenException extends Exception {
  private static final long serialVersionUID = 1;

  BrokenException(String found) {
    super(found);
  }
}
