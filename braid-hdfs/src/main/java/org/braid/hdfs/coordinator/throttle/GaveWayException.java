package org.braid.hdfs.coordinator.throttle;

import java.io.IOException;

/** A plan that the throttle holds back was left to later, as others want to work. */
public final class GaveWayException extends IOException {
  private static final long serialVersionUID = 1L;

  public GaveWayException() {
    super("left to later: the throttle holds it back, and other work waits");
  }
}
