package org.braid.hdfs.api;

import java.io.IOException;
import java.util.Map;
import org.braid.hdfs.api.view.ThrottleView;

/** Shows and changes the limits of background work, also while it runs. */
public interface ThrottleControl {
  /** Returns the limits in force. */
  ThrottleView show() throws IOException;

  /**
   * Sets some values for all work on the cluster, which take effect within a second; other values
   * stay.
   *
   * @param changes by key, which is the property's name without {@code braid.throttle.}; {@code
   *     none} for no limit, and for the configured or default share
   * @throws IllegalArgumentException when a key or value is invalid; nothing is changed
   */
  ThrottleView set(Map<String, String> changes) throws IOException;

  /** Removes all values that were set, so that the properties hold. */
  ThrottleView clear() throws IOException;
}
