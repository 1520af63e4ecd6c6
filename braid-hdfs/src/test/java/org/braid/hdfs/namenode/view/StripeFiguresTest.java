package org.braid.hdfs.namenode.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class StripeFiguresTest {
  @Test
  void looksThatTakeLongAreSeldom() {
    assertEquals(2000, StripeFigures.pauseMillis(10, 10));
    assertEquals(200_000, StripeFigures.pauseMillis(10_000, 10_000));
  }

  /** Else nobody would hear of lost blocks for twenty minutes. */
  @Test
  void aPauseOfTheProcessDuringALookPutsNoOtherLookOff() {
    assertEquals(2000, StripeFigures.pauseMillis(60_000, 50));
    assertEquals(2000, StripeFigures.pauseMillis(50, 60_000));
    assertEquals(2000, StripeFigures.pauseMillis(60_000, 0), "the first one");
  }

  /** HDFS keeps surplus copies for hours after a failover; braid status calls that healthy, too. */
  @Test
  void aCopyTooManyIsInNoWrongPlace() {
    assertFalse(StripeFigures.isDisplaced(List.of("other", "home"), "home"));
    assertFalse(StripeFigures.isDisplaced(List.of("home"), "home"));
    assertTrue(StripeFigures.isDisplaced(List.of("other"), "home"));
    assertTrue(StripeFigures.isDisplaced(List.of(), "home"), "its node leaves");
  }
}
