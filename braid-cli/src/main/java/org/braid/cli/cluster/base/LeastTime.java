package org.braid.cli.cluster.base;

import org.braid.experiment.text.Sizes;
import org.jspecify.annotations.Nullable;

/** How long work that is planned takes at least, in words. */
public final class LeastTime {
  private LeastTime() {}

  /**
   * The words.
   *
   * @param seconds null when a throttle of 0 stops it
   */
  public static String words(@Nullable Double seconds) {
    return seconds == null
        ? "a throttle of 0 stops it: braid throttle show"
        : "at least "
            + Sizes.seconds(seconds)
            + " at the rates of braid.network.* and the throttle in force";
  }
}
