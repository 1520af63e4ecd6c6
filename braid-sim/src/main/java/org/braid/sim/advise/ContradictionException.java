package org.braid.sim.advise;

/** Thrown when no code can meet the requirements; the message has the numbers. */
public final class ContradictionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  ContradictionException(String message) {
    super(message);
  }
}
