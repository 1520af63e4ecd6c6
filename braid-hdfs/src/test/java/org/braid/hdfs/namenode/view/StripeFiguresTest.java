package org.braid.hdfs.namenode.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
