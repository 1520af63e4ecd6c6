package org.braid.sim.durability;

import java.util.Locale;

/** Thrown when a cluster loses nodes faster than it can rebuild them. */
public final class OverloadException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * An exception with its numbers.
   *
   * @param busy nodes that are lost while one is rebuilt, 1 or more
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
