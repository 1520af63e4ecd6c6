package org.braid.hdfs.api;

import java.io.IOException;
import java.util.Map;
import org.braid.hdfs.api.view.ThrottleView;

/** How many bytes a second work in the background may move; changed while work goes on. */
public interface ThrottleControl {
  /** What holds now. */
  ThrottleView show() throws IOException;

  /**
   * Sets some of it for all work on the cluster, from within a second on; what is not named stays.
   *
   * @param changes by key, which is the property's name without {@code braid.throttle.}; {@code
   *     none} for no limit, and for the configured or default share
   * @throws IllegalArgumentException when a key or a value cannot be; nothing is changed
   */
  ThrottleView set(Map<String, String> changes) throws IOException;

  /** Takes back all that was set; the properties hold. */
  ThrottleView clear() throws IOException;
}
