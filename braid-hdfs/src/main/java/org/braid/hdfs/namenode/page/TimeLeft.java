package org.braid.hdfs.namenode.page;

import java.util.OptionalLong;

/** Estimates how long work takes if it continues at its present rate. */
final class TimeLeft {
  /** Duration of a phase before which its rate is meaningless. */
  static final long LEAST_MILLIS = 2000;

  private TimeLeft() {}

  /**
   * Estimated seconds until a phase ends; empty when there is no estimate.
   *
   * @param total units of the phase; 0 for an endless one
   * @param millis duration of the phase so far
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
