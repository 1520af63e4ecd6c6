package org.braid.hdfs.coordinator.throttle;

import java.io.IOException;

/** A throttled plan was postponed, as other coordinators want the lease. */
public final class GaveWayException extends IOException {
  private static final long serialVersionUID = 1L;

  public GaveWayException() {
    super("left to later: the throttle holds it back, and other work waits");
  }
}
