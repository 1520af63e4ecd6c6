package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AbsenceTest {
  private long now = Long.MAX_VALUE - 5;
  private final Absence absence = new Absence(() -> now);

  /** Seconds until somebody is asked again. */
  private long seconds() {
    long seconds = 0;
    while (absence.lasts()) {
      now += TimeUnit.SECONDS.toNanos(1);
      seconds++;
    }
    return seconds;
  }

  @Test
  void lastsAMomentFirstAndNeverMoreThanAMinute() {
    assertFalse(absence.lasts());
    List<Long> lasted = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      absence.begin();
      assertTrue(absence.lasts());
      lasted.add(seconds());
    }
    assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L), lasted);
  }

  @Test
  void answersOfTheSameTimeCountOnce() {
    absence.begin();
    absence.begin();
    absence.begin();
    assertEquals(1, seconds());
  }

  @Test
  void anAnswerEndsItAtOnceAndTheNextOneIsShortAgain() {
    absence.begin();
    seconds();
    absence.begin();
    absence.end();
    assertFalse(absence.lasts());
    absence.begin();
    assertEquals(1, seconds());
  }
}
