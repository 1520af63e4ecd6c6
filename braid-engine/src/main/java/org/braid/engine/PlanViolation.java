package org.braid.engine;

/** A plan does not compute what it says; it must not run. */
public final class PlanViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PlanViolation(String message) {
    super(message);
  }
}
