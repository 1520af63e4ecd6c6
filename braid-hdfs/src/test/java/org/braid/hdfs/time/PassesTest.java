package org.braid.hdfs.time;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class PassesTest {
  private final Passes passes = new Passes(1000, 50, 3, 20);

  private void isDueFrom(long time) {
    assertFalse(passes.isDue(time - 1));
    assertTrue(passes.isDue(time));
  }

  @Test
  void stepsTakeTheirPartOfTheTime() {
    assertTrue(passes.isDue(0));
    passes.stepped(0, 50, false);
    isDueFrom(50 + 3 * 50);
    passes.stepped(200, 300, true);
    isDueFrom(300 + 1000);
    passes.stepped(1300, 1350, false);
    isDueFrom(1350 + 20 * 50);
    passes.stepped(2350, 2450, true);
    isDueFrom(2450 + 20 * 100);
  }

  /** A pause of the machine, or of those who hold a lock, is no work. */
  @Test
  void waitingDoesNotCount() {
    passes.stepped(0, 5000, false);
    isDueFrom(5000 + 3 * 100);
    passes.stepped(6000, 9000, true);
    passes.stepped(10_000, 20_000, false);
    isDueFrom(20_000 + 20 * 100);
  }

  @Test
  void oneThatBeginsAnewHasItsFirstPassBeforeIt() {
    passes.stepped(0, 50, true);
    passes.clear();
    assertTrue(passes.isDue(51));
    passes.stepped(51, 61, false);
    isDueFrom(61 + 3 * 10);
  }
}
