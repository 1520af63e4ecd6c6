package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class BesideTest {
  /** It may have found stripes that the command does not know of. */
  @Test
  void aThrottleThatIsClearedIsNoPauseOfUrgentRepairs() {
    AtomicBoolean throttled = new AtomicBoolean(true);
    Beside beside = Beside.repairOfAll(throttled::get);
    assertTrue(beside.urgent().getAsBoolean());
    assertFalse(beside.others().getAsBoolean());
    throttled.set(false);
    assertFalse(beside.urgent().getAsBoolean());
    assertFalse(beside.paused().getAsBoolean());
  }

  @Test
  void aPauseHoldsForAll() {
    AtomicBoolean paused = new AtomicBoolean();
    Beside beside = Beside.unless(paused::get);
    for (boolean now : new boolean[] {false, true}) {
      paused.set(now);
      assertEquals(!now, beside.urgent().getAsBoolean());
      assertEquals(!now, beside.others().getAsBoolean());
      assertEquals(now, beside.paused().getAsBoolean());
    }
  }
}
