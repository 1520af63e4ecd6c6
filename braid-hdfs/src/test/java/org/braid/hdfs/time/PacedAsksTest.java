package org.braid.hdfs.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PacedAsksTest {
  private long now;
  private long era;
  private final PacedAsks asks = new PacedAsks(() -> now, () -> era, 3, 10);

  @Test
  void eachIsAskedAgainAfterPausesThatDouble() {
    List<Long> asked = new ArrayList<>();
    for (now = 0; now < 50; now++) {
      if (asks.begin("a")) {
        asked.add(now);
      }
    }
    assertEquals(List.of(0L, 3L, 9L, 19L, 29L, 39L, 49L), asked);
  }

  @Test
  void othersHavePausesOfTheirOwn() {
    assertTrue(asks.begin("a"));
    assertTrue(asks.begin("b"));
    assertFalse(asks.begin("a"));
  }

  @Test
  void inAnotherEraAllAreAskedAtOnce() {
    assertTrue(asks.begin("a"));
    era++;
    assertTrue(asks.begin("a"));
    assertFalse(asks.begin("a"));
  }
}
