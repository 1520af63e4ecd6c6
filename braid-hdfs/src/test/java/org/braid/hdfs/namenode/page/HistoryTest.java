package org.braid.hdfs.namenode.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.braid.hdfs.metrics.Cause;
import org.junit.jupiter.api.Test;

final class HistoryTest {
  private static final long DAY = 1_700_000_000;

  private final History history = new History();

  private void take(long second, long saved, long damaged, long read, long repaired) {
    history.take(
        (DAY + second) * 1000,
        second * 1000,
        new History.Sample(saved, damaged, 2, read, read / 2, Map.of(Cause.REPAIR, repaired)));
  }

  @Test
  void ratesAreThoseSinceTheSampleBefore() {
    take(0, 10, -1, 1_000_000, 500);
    take(600, 20, 3, 1_600_000, 500);
    take(1200, 30, 0, 1_600_000, 6500);
    History.Series series = history.series();
    assertEquals(List.of(DAY, DAY + 600, DAY + 1200), series.at());
    assertEquals(List.of(10L, 20L, 30L), series.savedBytes());
    assertEquals(List.of(-1L, 3L, 0L), series.damagedStripes());
    assertEquals(List.of(2L, 2L, 2L), series.waitingCalls());
    assertEquals(List.of(0L, 1000L, 0L), series.clientReadPerSecond());
    assertEquals(List.of(0L, 500L, 0L), series.clientWrittenPerSecond());
    assertEquals(Map.of("repair", List.of(0L, 0L, 10L)), series.sentPerSecond());
    assertEquals(600, series.intervalSeconds());
  }

  @Test
  void countersThatBeginAnewAreNoNegativeRate() {
    take(0, 0, 0, 5000, 5000);
    take(600, 0, 0, 10, 10);
    assertEquals(List.of(0L, 0L), history.series().clientReadPerSecond());
  }

  @Test
  void whatIsOlderThanAWeekIsForgotten() {
    long all = History.SAMPLES + 10;
    for (long i = 0; i < all; i++) {
      take(i * 600, i, 0, 0, 0);
    }
    History.Series series = history.series();
    assertEquals(
        LongStream.range(10, all).boxed().toList(), series.savedBytes(), "the oldest first");
    assertEquals(DAY + 6000, series.at().get(0));
    assertEquals(7 * 24 * 3600, series.at().size() * History.INTERVAL_MILLIS / 1000);
  }

  /** Else the chart would run out of its frame. */
  @Test
  void timesAscendAlsoAfterTheClockWasSetBack() {
    take(0, 1, 0, 0, 0);
    take(600, 2, 0, 0, 0);
    long set = DAY - 86_400;
    History.Sample sample = new History.Sample(3, 0, 0, 0, 0, Map.of());
    history.take(set * 1000, 1_200_000, sample);
    assertEquals(List.of(set - 1200, set - 600, set), history.series().at());
  }

  @Test
  void nothingIsThereBeforeTheFirstSample() {
    assertEquals(List.of(), history.series().at());
    assertEquals(Map.of(), history.series().sentPerSecond());
  }
}
