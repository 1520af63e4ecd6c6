package org.braid.hdfs.coordinator.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.rpc.ScrubRecord;
import org.braid.hdfs.rpc.ScrubRecord.Round;
import org.junit.jupiter.api.Test;

final class ScrubScheduleTest {
  private static final String FIRST = "0".repeat(32);
  private static final String QUARTER = "4" + "0".repeat(31);
  private static final String HALF = "8" + "0".repeat(31);
  private static final long NOW = 1_000_000;

  private final ScrubSchedule schedule = new ScrubSchedule(1000);

  @Test
  void stripesAreSpreadOverTheRound() {
    Round round = schedule.round(ScrubRecord.NONE, NOW);
    assertEquals(Round.from(NOW, 1000), round);
    List<String> ids = List.of(FIRST, QUARTER, HALF);
    assertEquals(1, schedule.due(round, ids, NOW));
    assertEquals(1, schedule.due(round, ids, NOW + 249));
    assertEquals(2, schedule.due(round, ids, NOW + 250));
    assertEquals(3, schedule.due(round, ids, NOW + 500));
    assertEquals(0, schedule.due(round, ids, NOW - 1));
  }

  @Test
  void theNextRoundBeginsWhenTheLastWasToEnd() {
    ScrubRecord record = ScrubRecord.NONE.with(Round.from(NOW, 1000));
    Round round = schedule.round(record, NOW);
    ScrubRecord early = schedule.ended(record, round, NOW + 900);
    assertEquals(NOW + 1000, schedule.round(early, NOW + 900).begun());
    assertEquals(NOW + 900, early.last().orElseThrow().ended());
    ScrubRecord late = schedule.ended(record, round, NOW + 5000);
    assertEquals(NOW + 5000, schedule.round(late, NOW + 5000).begun());
  }

  /** A clock that was far ahead is no reason to wait for it. */
  @Test
  void aRoundOfTheFutureIsForgotten() {
    ScrubRecord record = ScrubRecord.NONE.with(Round.from(NOW + 1001, 1000));
    assertEquals(NOW, schedule.round(record, NOW).begun());
    ScrubRecord soon = ScrubRecord.NONE.with(Round.from(NOW + 1000, 1000));
    assertEquals(NOW + 1000, schedule.round(soon, NOW).begun());
  }

  /** Else scrubs would seem late: what this round has read would count as not read. */
  @Test
  void whatWasReadBeforeTheClockWasSetBackIsRead() {
    long day = 86_400_000;
    ScrubSchedule days = new ScrubSchedule(20 * day);
    Round last = Round.from(80 * day, 20 * day).ended(100 * day);
    Round half = Round.from(100 * day, 20 * day).at(HALF, 7, 70, 1);
    ScrubRecord record = ScrubRecord.NONE.withLast(last).with(half);
    assertEquals(OptionalLong.of(20 * day), record.oldestMillis(110 * day));
    long now = 105 * day;
    ScrubRecord moved = record.with(days.round(record, now));
    assertEquals(95 * day, moved.present().orElseThrow().begun());
    assertEquals(OptionalLong.of(15 * day), moved.oldestMillis(now), "since day 90");
  }

  /** Else nothing would be read until the clock is there again. */
  @Test
  void aRoundGoesOnAfterTheClockWasSetBack() {
    long day = 86_400_000;
    ScrubSchedule days = new ScrubSchedule(20 * day);
    long begun = 100 * day;
    Round half = Round.from(begun, 20 * day).at(HALF, 7, 70, 1);
    long seen = begun + 10 * day;
    assertEquals(half, days.round(ScrubRecord.NONE.with(half), seen));
    long minute = 60_000;
    assertEquals(half, days.round(ScrubRecord.NONE.with(half), seen - minute), "another host's");
    for (long back : new long[] {2 * day, 15 * day, 50 * day}) {
      Round round = days.round(ScrubRecord.NONE.with(half), seen - back);
      assertEquals(half.earlier(back), round);
      assertEquals(seen - back, days.due(round, HALF), "what follows is due");
    }
  }

  @Test
  void anotherPeriodHoldsAtOnce() {
    Round long20 = Round.from(NOW, 20_000).at(QUARTER, 1, 1, 0);
    Round round = schedule.round(ScrubRecord.NONE.with(long20), NOW + 300);
    assertEquals(1000, round.span());
    assertEquals(QUARTER, round.after());
    assertEquals(NOW + 500, schedule.due(round, HALF));
  }

  @Test
  void settingsAreChecked() throws Exception {
    Configuration conf = new Configuration(false);
    ScrubSettings usual = ScrubSettings.of(conf);
    assertTrue(usual.enabled());
    assertEquals(32 << 20, usual.rate());
    assertEquals(21L * 86_400_000, usual.periodMillis());
    assertTrue(usual.spanMillis() < usual.periodMillis());
    conf.set(ScrubSettings.PERIOD_KEY, "2d");
    conf.set(ScrubSettings.RATE_KEY, "100m");
    conf.set(ScrubSettings.ENABLED_KEY, "false");
    assertEquals(new ScrubSettings(false, 100 << 20, 2L * 86_400_000), ScrubSettings.of(conf));
    conf.set(ScrubSettings.PERIOD_KEY, "0s");
    assertEquals(
        "how to scrub: braid.scrub.rate = 104857600 bytes a second and braid.scrub.period = 0 ms:"
            + " at least 0 and 1 are needed",
        assertThrows(IOException.class, () -> ScrubSettings.of(conf)).getMessage());
  }
}
