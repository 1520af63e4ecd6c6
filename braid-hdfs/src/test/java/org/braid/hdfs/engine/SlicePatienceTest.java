package org.braid.hdfs.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class SlicePatienceTest {
  private static final long CONFIGURED = millis(500);

  private long now = 7;

  private final SlicePatience patience = new SlicePatience(() -> now);

  private static long millis(long some) {
    return TimeUnit.MILLISECONDS.toNanos(some);
  }

  /** Looks as often as a reader is told to, and says how long that took. */
  private long untilOver() {
    long begun = now;
    for (long left = patience.left(CONFIGURED); left > 0; left = patience.left(CONFIGURED)) {
      now += left;
    }
    return now - begun;
  }

  @Test
  void aHelperHoldsTheRunUpAfterTheConfiguredTime() {
    assertEquals(CONFIGURED, untilOver());
    assertEquals(0, patience.left(CONFIGURED));
    patience.begin();
    assertEquals(CONFIGURED, untilOver());
    assertEquals(0, new SlicePatience(() -> now).left(0));
  }

  /** Number of looks until a helper counts as slow, when each of them is late. */
  private int lateLooks(long configured) {
    int looks = 0;
    while (patience.left(configured) > 0) {
      now += millis(400);
      looks++;
    }
    return looks;
  }

  /** A host with too many tasks gives each of them a processor now and then. */
  @Test
  void timeWithoutAProcessorDoesNotCount() {
    assertEquals(10, lateLooks(CONFIGURED));
    patience.begin();
    now += millis(60_000);
    assertEquals(SlicePatience.STEP_NANOS, patience.left(CONFIGURED));
  }

  /** What is waited for may be shorter than the time that a host is without a processor. */
  @Test
  void timeWithoutAProcessorDoesNotCountInAShorterWaitEither() {
    assertEquals(10, lateLooks(millis(50)));
    patience.begin();
    for (int slice = 0; slice < 8; slice++) {
      now += millis(1);
      patience.arrived();
    }
    assertEquals(10, lateLooks(CONFIGURED), "a fifth of the configured time");
  }

  @Test
  void aWaitOfMillisecondsTakesThatLong() {
    for (long configured : new long[] {1, 3, 20}) {
      long begun = now;
      patience.begin();
      for (long left = patience.left(millis(configured)); left > 0; ) {
        now += left;
        left = patience.left(millis(configured));
      }
      assertEquals(millis(configured), now - begun);
    }
  }

  @Test
  void slicesThatFlowTellHowLongOneTakes() {
    for (int slice = 0; slice < 8; slice++) {
      assertEquals(CONFIGURED, untilOver(), "slice " + slice);
      patience.begin();
      now += millis(slice == 3 ? 20 : 1);
      patience.arrived();
    }
    assertEquals(millis(200), untilOver());
    patience.arrived();
    assertEquals(CONFIGURED, untilOver(), "ten times as long is more than configured");
  }

  @Test
  void aFifthOfTheConfiguredTimeIsWaitedForInAnyCase() {
    for (int slice = 0; slice < 8; slice++) {
      now += millis(1);
      patience.arrived();
    }
    assertEquals(millis(100), untilOver());
  }
}
