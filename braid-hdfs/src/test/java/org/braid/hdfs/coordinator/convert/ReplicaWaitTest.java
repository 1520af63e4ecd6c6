package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ReplicaWaitTest {
  private static final long TIMEOUT = 300;
  private static final long PATIENCE = 720;
  private static final long TOTAL = 90;
  private final ReplicaWait wait = new ReplicaWait(TIMEOUT);

  @Test
  void aCopyThatDidNotComeIsAskedForAgainBeforeTheWaitIsInVain() {
    assertFalse(wait.isVain(0, TOTAL, 1000));
    // HDFS has just looked when the copy times out, and looks again a time-out later.
    assertFalse(wait.isVain(0, TOTAL, 1000 + 2 * TIMEOUT));
    assertFalse(wait.isVain(0, TOTAL, 1000 + PATIENCE));
    assertEquals(PATIENCE, wait.silence(1000 + PATIENCE));
    assertTrue(wait.isVain(0, TOTAL, 1001 + PATIENCE));
  }

  /** All that lack replicas may be on one node that is restarted. */
  @Test
  void aNodeMayComeBackBeforeItsBlocksAreGivenUp() {
    assertFalse(wait.isLost(false, 1000));
    assertFalse(wait.isLost(false, 1060));
    assertTrue(wait.isLost(false, 1061));
    assertFalse(wait.isLost(true, 1062));
    assertFalse(wait.isLost(false, 1122));
    assertTrue(wait.isLost(false, 1123));
  }

  @Test
  void eachNewReplicaGivesTimeAndALostOneNone() {
    assertFalse(wait.isVain(5, TOTAL, 0));
    assertFalse(wait.isVain(6, TOTAL, 700));
    assertFalse(wait.isVain(3, TOTAL, 1400));
    // As many as before are no progress: they may come and go for ever.
    assertFalse(wait.isVain(6, TOTAL, 1420));
    assertTrue(wait.isVain(6, TOTAL, 1421));
    assertFalse(wait.isVain(7, TOTAL, 1422));
  }

  /** HDFS copies what is left, of which there may be fewer than there were of all. */
  @Test
  void filesThatAreDeletedKeepNoNewReplicaFromCounting() {
    assertFalse(wait.isVain(60, 90, 0));
    assertFalse(wait.isVain(20, 30, 600)); // which alone gives no time
    assertFalse(wait.isVain(21, 30, 700));
    assertFalse(wait.isVain(22, 30, 1400));
    assertEquals(0, wait.silence(1400));
    assertFalse(wait.isVain(15, 20, 1500));
    assertTrue(wait.isVain(15, 20, 1401 + PATIENCE));
  }
}
