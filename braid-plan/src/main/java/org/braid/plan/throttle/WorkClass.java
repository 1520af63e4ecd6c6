package org.braid.plan.throttle;

import java.util.Locale;

/** A class of work in the background that has a share of each limited link. */
public enum WorkClass {
  /** Lost and misplaced blocks get their places back. */
  REPAIR,
  /** Files become encoded, and stripes that lost blocks are encoded anew. */
  CONVERSION;

  /** Its name in messages and on the wire. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
