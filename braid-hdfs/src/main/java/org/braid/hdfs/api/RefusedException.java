package org.braid.hdfs.api;

import java.io.IOException;
import org.braid.placement.PlacementException;

/** A promise could not be kept, so nothing was changed. The message gives the numbers. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }

  public RefusedException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The refusal of what no placement can keep. */
  public static RefusedException of(PlacementException e) {
    return new RefusedException(String.valueOf(e.getMessage()), e);
  }
}
