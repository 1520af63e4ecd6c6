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

  /** A host with too many tasks gives each of them a processor now and then. */
  @Test
  void timeWithoutAProcessorDoesNotCount() {
    int looks = 0;
    while (patience.left(CONFIGURED) > 0) {
      now += millis(400);
      looks++;
    }
    assertEquals(10, looks);
    patience.begin();
    now += millis(60_000);
    assertEquals(SlicePatience.STEP_NANOS, patience.left(CONFIGURED));
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
