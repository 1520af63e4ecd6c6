package org.braid.hdfs.coordinator.throttle;

import java.io.IOException;

/**
 * Work was postponed, mostly a throttled plan, because it is given up for now: for example, another
 * coordinator wants the lease.
 */
public final class GaveWayException extends IOException {
  private static final long serialVersionUID = 1L;

  public GaveWayException() {
    super("left to later: the throttle holds it back, and other work waits");
  }
}
