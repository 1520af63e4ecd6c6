package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class PatienceTest {
  private long now = -7;
  private final Patience patience = new Patience(() -> now);

  /** A stream that once met a failover would else be slow at each lost block for ever. */
  @Test
  void itEndsAWhileAfterItWasCalledForLast() {
    assertFalse(patience.lasts());
    patience.begin();
    now += Patience.NANOS - 1;
    assertTrue(patience.lasts());
    patience.begin();
    now += Patience.NANOS - 1;
    assertTrue(patience.lasts());
    assertTrue(new Patience(patience).lasts());
    now++;
    assertFalse(patience.lasts());
    assertFalse(new Patience(patience).lasts());
  }
}
