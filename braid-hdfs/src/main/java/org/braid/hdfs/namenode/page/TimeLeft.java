package org.braid.hdfs.namenode.page;

import java.util.OptionalLong;

/** How long work takes that goes on as it has gone so far. */
final class TimeLeft {
  /** Before, a rate says nothing. */
  static final long LEAST_MILLIS = 2000;

  private TimeLeft() {}

  /**
   * Seconds until a phase is over; empty while that cannot be told.
   *
   * @param total units of the phase; 0 when it has no end
   * @param millis for how long the phase has lasted
   */
  static OptionalLong seconds(long done, long total, long millis) {
    if (done <= 0 || total <= 0 || millis < LEAST_MILLIS) {
      return OptionalLong.empty();
    }
    if (done >= total) {
      return OptionalLong.of(0);
    }
    return OptionalLong.of(Math.round((double) millis / done * (total - done) / 1000));
  }
}
