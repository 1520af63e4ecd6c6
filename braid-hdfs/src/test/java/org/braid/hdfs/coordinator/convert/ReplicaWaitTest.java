package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ReplicaWaitTest {
  private static final long TIMEOUT = 300;
  private static final long PATIENCE = 720;
  private final ReplicaWait wait = new ReplicaWait(TIMEOUT);

  @Test
  void aCopyThatDidNotComeIsAskedForAgainBeforeTheWaitIsInVain() {
    assertFalse(wait.isVain(0, 1000));
    // HDFS has just looked when the copy times out, and looks again a time-out later.
    assertFalse(wait.isVain(0, 1000 + 2 * TIMEOUT));
    assertFalse(wait.isVain(0, 1000 + PATIENCE));
    assertEquals(PATIENCE, wait.silence(1000 + PATIENCE));
    assertTrue(wait.isVain(0, 1001 + PATIENCE));
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
    assertFalse(wait.isVain(5, 0));
    assertFalse(wait.isVain(6, 700));
    assertFalse(wait.isVain(3, 1400));
    // As many as before are no progress: they may come and go for ever.
    assertFalse(wait.isVain(6, 1420));
    assertTrue(wait.isVain(6, 1421));
    assertFalse(wait.isVain(7, 1422));
  }
}
