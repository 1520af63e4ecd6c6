package org.braid.sim.advise;

/** Limits that nothing can keep; the message has the numbers. */
public final class ContradictionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  ContradictionException(String message) {
    super(message);
  }
}
