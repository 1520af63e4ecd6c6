package org.braid.engine.symbolic;

/** A plan does not compute the rows of its code; no engine may run it. */
public final class PlanViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PlanViolation(String message) {
    super(message);
  }
}
