package org.braid.hdfs.dispatch;

import java.io.IOException;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A time in which the NameNode does not answer: it restarts, or another one takes over. Work that
 * lasts goes on meanwhile with what it knows. For one thread.
 */
public final class Outage {
  private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

  /** A NameNode is waited for so long, beyond what each call waits. */
  static final long MOST_MILLIS = 120_000;

  private OptionalLong since = OptionalLong.empty();

  /**
   * A call failed.
   *
   * @param now milliseconds from any origin
   * @throws IOException the failure, when waiting does not help or has lasted too long
   */
  public void goesOn(IOException failure, long now) throws IOException {
    since = OptionalLong.of(since.orElse(now));
    if (!NameNodeLink.isPassing(failure) || now - since.getAsLong() >= MOST_MILLIS) {
      throw failure;
    }
    LOG.warn("the NameNode is asked again in a moment: {}", failure.getMessage());
  }

  /** Whether the last call failed. */
  public boolean lasts() {
    return since.isPresent();
  }

  /** A call was answered. */
  public void end() {
    since = OptionalLong.empty();
  }
}
