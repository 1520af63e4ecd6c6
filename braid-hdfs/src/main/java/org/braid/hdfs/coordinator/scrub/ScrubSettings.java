package org.braid.hdfs.coordinator.scrub;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * How stripes are scrubbed.
 *
 * @param enabled whether a watch scrubs the cluster
 * @param rate most bytes a second that are read on a node; 0 for no limit
 * @param periodMillis how often each block is to be read
 */
public record ScrubSettings(boolean enabled, long rate, long periodMillis) {
  /** Property: whether the daemon scrubs. */
  static final String ENABLED_KEY = "braid.scrub.enabled";

  /** Property: most bytes a second that are read on a node. */
  static final String RATE_KEY = "braid.scrub.rate";

  /** Property: how often each block is to be read. */
  static final String PERIOD_KEY = "braid.scrub.period";

  private static final long RATE = 32L << 20;
  private static final long PERIOD_MILLIS = TimeUnit.DAYS.toMillis(21);

  /**
   * A round is planned to be shorter than the period by one part in this many, as a reserve for
   * delays.
   */
  private static final int RESERVE = 20;

  /**
   * The settings of a configuration.
   *
   * @throws IOException when a value is invalid
   */
  public static ScrubSettings of(Configuration conf) throws IOException {
    long rate = conf.getLongBytes(RATE_KEY, RATE);
    long period = conf.getTimeDuration(PERIOD_KEY, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    if (rate < 0 || period < 1) {
      throw new IOException(
          "how to scrub: %s = %d bytes a second and %s = %d ms: at least 0 and 1 are needed"
              .formatted(RATE_KEY, rate, PERIOD_KEY, period));
    }
    return new ScrubSettings(conf.getBoolean(ENABLED_KEY, true), rate, period);
  }

  /** The planned duration of a round. */
  long spanMillis() {
    return periodMillis - periodMillis / RESERVE;
  }
}
