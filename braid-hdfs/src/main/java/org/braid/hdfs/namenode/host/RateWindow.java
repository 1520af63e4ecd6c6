package org.braid.hdfs.namenode.host;

/** The growth rates of counters over the last minute. */
final class RateWindow {
  private static final long STEP_MILLIS = 10_000;
  private static final long WINDOW_MILLIS = 60_000;
  private static final int SLOTS = (int) (WINDOW_MILLIS / STEP_MILLIS) + 1;

  private final int series;
  private final long[] at = new long[SLOTS];
  private final long[] values;

  /** Looks that were kept; the last one is in the slot before. */
  private int looks;

  RateWindow(int series) {
    this.series = series;
    values = new long[SLOTS * series];
  }

  /** Records the counters, if the last record is old enough. */
  void look(long now, long... counters) {
    if (looks > 0 && now - at[(looks - 1) % SLOTS] < STEP_MILLIS) {
      return;
    }
    int slot = looks % SLOTS;
    at[slot] = now;
    System.arraycopy(counters, 0, values, slot * series, series);
    looks++;
  }

  /**
   * The rate of a counter, per second.
   *
   * @param counter the counter's index
   * @param value the counter's value now
   */
  double perSecond(long now, int counter, long value) {
    for (int look = Math.max(0, looks - SLOTS); look < looks; look++) {
      int slot = look % SLOTS;
      long age = now - at[slot];
      if (age <= WINDOW_MILLIS + STEP_MILLIS) {
        // Whoever asks at once after the first look has no rate yet.
        return age < 1000 ? 0 : Math.max(0, value - values[slot * series + counter]) * 1000.0 / age;
      }
    }
    return 0;
  }
}
