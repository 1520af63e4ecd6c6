package org.braid.sim.durability;

import java.util.Locale;

/** A cluster that loses more than it can repair. */
public final class OverloadException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes a refusal.
   *
   * @param busy share of time that repairs would take, 1 or more
   * @param seconds to rebuild one node
   */
  OverloadException(String code, String shape, double busy, double seconds) {
    super(
        String.format(
            Locale.ROOT,
            "%s by %s: the cluster needs %.1f hours to rebuild a node and loses %.2f nodes in that"
                + " time, so that repairs never catch up: store less on a node, give repairs a"
                + " larger share or faster links, or choose a code with cheaper repair",
            code,
            shape,
            seconds / 3600,
            busy));
  }
}
