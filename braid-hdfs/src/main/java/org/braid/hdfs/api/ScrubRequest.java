package org.braid.hdfs.api;

import java.util.OptionalLong;

/**
 * The stripes to scrub, and how.
 *
 * @param path file or directory; {@code /} for all stripes
 * @param rate most bytes a second that are read on a node, 0 for no limit; empty: as configured
 * @param stop ends it between two blocks
 * @param progress hears of progress
 */
public record ScrubRequest(String path, OptionalLong rate, StopSignal stop, Progress progress) {
  public ScrubRequest {
    if (rate.isPresent() && rate.getAsLong() < 0) {
      throw new IllegalArgumentException(
          "a rate of " + rate.getAsLong() + " bytes a second: at least 0 is needed");
    }
  }
}
