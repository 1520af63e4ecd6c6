package org.braid.hdfs.namenode.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.metrics.Cause;

/**
 * Samples of the last week, one every ten minutes, in the NameNode's memory only: the history
 * begins at each start. 1008 samples of 15 numbers take 121 kB. Thread-safe.
 */
final class History {
  /** Samples of a week. */
  static final int SAMPLES = 7 * 24 * 6;

  /** Between two samples. */
  static final long INTERVAL_MILLIS = 600_000;

  private static final List<Cause> CAUSES = List.of(Cause.values());
  private static final int SAVED = 0;
  private static final int DAMAGED = 1;
  private static final int WAITING = 2;
  private static final int READ = 3;
  private static final int WRITTEN = 4;
  private static final int FIRST_CAUSE = 5;
  private static final int SERIES = FIRST_CAUSE + CAUSES.size();

  /** When each was taken, in ticks: the time of day may be set meanwhile. */
  private final long[] at = new long[SAMPLES];

  private final long[] values = new long[SAMPLES * SERIES];
  private long taken;
  private long before = -1;
  private long latestMillis;
  private long[] counted = new long[CAUSES.size() + 2];

  /**
   * A sample.
   *
   * @param saved bytes saved by encoding
   * @param damaged number of damaged stripes; negative when unknown
   * @param waiting number of waiting calls
   * @param clientRead counter of bytes that clients read
   * @param clientWritten counter of bytes that clients wrote
   * @param sent counters of bytes that Braid sent, by cause
   */
  record Sample(
      long saved,
      long damaged,
      long waiting,
      long clientRead,
      long clientWritten,
      Map<Cause, Long> sent) {}

  /**
   * All samples, the oldest first.
   *
   * @param intervalSeconds between two of them
   * @param at seconds since 1970 by the clock of the latest one, never descending
   * @param damagedStripes -1 where that was not known
   * @param sentPerSecond bytes by the word of their cause, of causes with any
   */
  record Series(
      long intervalSeconds,
      List<Long> at,
      List<Long> savedBytes,
      List<Long> damagedStripes,
      List<Long> waitingCalls,
      List<Long> clientReadPerSecond,
      List<Long> clientWrittenPerSecond,
      Map<String, List<Long>> sentPerSecond) {}

  /**
   * Takes a sample. Rates are computed from the previous sample.
   *
   * @param epochMillis the time of day
   * @param ticks milliseconds that never run backwards
   */
  synchronized void take(long epochMillis, long ticks, Sample sample) {
    long[] counters = new long[CAUSES.size() + 2];
    counters[0] = sample.clientRead;
    counters[1] = sample.clientWritten;
    for (int i = 0; i < CAUSES.size(); i++) {
      counters[2 + i] = sample.sent.getOrDefault(CAUSES.get(i), 0L);
    }
    int slot = (int) (taken % SAMPLES);
    at[slot] = ticks;
    latestMillis = epochMillis;
    int first = slot * SERIES;
    values[first + SAVED] = sample.saved;
    values[first + DAMAGED] = Math.max(-1, sample.damaged);
    values[first + WAITING] = sample.waiting;
    for (int i = 0; i < counters.length; i++) {
      values[first + READ + i] =
          before < 0 || ticks <= before
              ? 0
              : Math.round(Math.max(0, counters[i] - counted[i]) * 1000.0 / (ticks - before));
    }
    before = ticks;
    counted = counters;
    taken++;
  }

  /** All samples. */
  synchronized Series series() {
    int size = (int) Math.min(taken, SAMPLES);
    List<Long> times = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      times.add((latestMillis - (before - at[slot(i, size)])) / 1000);
    }
    Map<String, List<Long>> causes = new LinkedHashMap<>();
    for (int i = 0; i < CAUSES.size(); i++) {
      List<Long> of = series(FIRST_CAUSE + i, size);
      if (of.stream().anyMatch(bytes -> bytes > 0)) {
        causes.put(CAUSES.get(i).word(), of);
      }
    }
    return new Series(
        INTERVAL_MILLIS / 1000,
        times,
        series(SAVED, size),
        series(DAMAGED, size),
        series(WAITING, size),
        series(READ, size),
        series(WRITTEN, size),
        causes);
  }

  private int slot(int index, int size) {
    return (int) ((taken - size + index) % SAMPLES);
  }

  private List<Long> series(int number, int size) {
    List<Long> series = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      series.add(values[slot(i, size) * SERIES + number]);
    }
    return series;
  }
}
