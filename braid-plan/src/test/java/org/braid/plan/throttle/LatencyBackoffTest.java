package org.braid.plan.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class LatencyBackoffTest {
  private static final long TARGET = 1000;

  private final LatencyBackoff backoff = new LatencyBackoff();
  private long count;
  private long nanos;

  private boolean second(int packets, long micros) {
    count += packets;
    nanos += packets * micros * 1000;
    return backoff.heard("n", count, nanos, TARGET);
  }

  @Test
  void aNodeHalvesItsPartWhileReadersAreSlowAndRecovers() {
    count = 1_000_000; // what was before the first look counts for nothing
    nanos = 1_000_000_000_000_000L;
    assertFalse(second(0, 0));
    assertEquals(1, backoff.part("n"));
    assertTrue(second(100, 3000));
    assertEquals(0.5, backoff.part("n"));
    assertEquals(3000, backoff.micros("n"));
    second(100, 3000);
    assertEquals(0.25, backoff.part("n"));
    assertFalse(second(100, 900), "between calm and slow it stays");
    for (int i = 0; i < 8; i++) {
      assertTrue(backoff.part("n") < 1);
      assertTrue(second(100, 500));
    }
    assertEquals(1, backoff.part("n"));
    assertEquals(Map.of(), backoff.held());
  }

  @Test
  void workInTheBackgroundIsNeverStarved() {
    second(0, 0);
    for (int i = 0; i < 50; i++) {
      second(100, 1_000_000);
    }
    assertEquals(LatencyBackoff.LEAST, backoff.part("n"));
    assertEquals(Map.of("n", LatencyBackoff.LEAST), backoff.held());
    assertEquals(1, backoff.part("other"));
  }

  @Test
  void aFewPacketsSayNothingAndNoReadersLetItRecover() {
    second(0, 0);
    second(100, 5000);
    second(2, 5000);
    assertEquals(0.6, backoff.part("n"), 1e-9);
    second(0, 0);
    assertEquals(0.7, backoff.part("n"), 1e-9);
  }

  @Test
  void aNodeThatWasRestartedCountsAnew() {
    second(1000, 500);
    second(100, 5000);
    count = 0;
    nanos = 0;
    assertFalse(second(10, 9000));
    assertEquals(0.5, backoff.part("n"));
    second(100, 9000);
    assertEquals(0.25, backoff.part("n"));
  }

  @Test
  void withoutATargetNothingIsHeldBack() {
    second(0, 0);
    second(100, 5000);
    assertTrue(backoff.heard("n", count + 100, nanos + 1_000_000_000, 0));
    assertEquals(1, backoff.part("n"));
  }
}
