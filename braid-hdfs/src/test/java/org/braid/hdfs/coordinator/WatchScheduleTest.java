package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class WatchScheduleTest {
  private final FakeTicker ticker = new FakeTicker();
  private final WatchSchedule schedule = new WatchSchedule(1000, ticker);

  /** A look; says whether it was at all stripes. */
  private boolean look(long listing, long repairing) {
    assertTrue(schedule.due());
    boolean all = schedule.begin();
    ticker.pass(listing);
    schedule.listed(listing);
    ticker.pass(repairing);
    schedule.looked();
    schedule.end();
    return all;
  }

  private void assertDueIn(long millis) {
    ticker.pass(millis - 1);
    assertFalse(schedule.due());
    ticker.pass(1);
    assertTrue(schedule.due());
  }

  @Test
  void theFirstLookIsAtAllStripesAndSoIsOneAnHour() {
    assertTrue(look(1, 0));
    long since = ticker.millis();
    assertDueIn(1000);
    assertFalse(look(1, 0));
    while (ticker.millis() - since < WatchSchedule.ALL_MILLIS) {
      assertFalse(schedule.due() && look(1, 0));
      ticker.pass(100);
    }
    ticker.pass(1000);
    assertTrue(look(1, 0));
  }

  @Test
  void lookingTakesAtMostAPartOfTheTimeAndRepairsDoNotCount() {
    look(100, 0);
    assertDueIn(1000);
    look(100, 0);
    assertDueIn(2000);
    look(10, 60_000);
    assertDueIn(1000);
  }

  @Test
  void aPauseOfTheNameNodeDelaysNoLook() {
    look(10, 0);
    assertDueIn(1000);
    look(10_000, 0);
    assertDueIn(1000);
    look(10_000, 0);
    assertDueIn(200_000);
  }

  @Test
  void aLookThatFailsIsRepeatedAfterTheInterval() {
    assertTrue(schedule.begin());
    ticker.pass(500);
    schedule.end();
    assertDueIn(1000);
    assertTrue(look(1, 0), "all stripes are still to be looked at");
  }

  @Test
  void aLookThatIsBrokenOffIsTakenUpAtOnce() {
    look(1, 0);
    ticker.pass(WatchSchedule.ALL_MILLIS);
    assertTrue(schedule.begin());
    ticker.pass(10);
    schedule.listed(10);
    // The lease is wanted by others: neither looked nor end.
    ticker.pass(60_000);
    assertTrue(schedule.due());
    assertTrue(schedule.begin());
  }
}
