package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class RepairGateTest {
  /** It may have found stripes that the command does not know of. */
  @Test
  void aThrottleThatIsClearedIsNoPauseOfUrgentRepairs() {
    AtomicBoolean throttled = new AtomicBoolean(true);
    RepairGate gate = RepairGate.duringRepairOfAll(throttled::get);
    assertTrue(gate.urgent().getAsBoolean());
    assertFalse(gate.others().getAsBoolean());
    throttled.set(false);
    assertFalse(gate.urgent().getAsBoolean());
    assertFalse(gate.paused().getAsBoolean());
  }

  @Test
  void aPauseHoldsForAll() {
    AtomicBoolean paused = new AtomicBoolean();
    RepairGate gate = RepairGate.unlessPaused(paused::get);
    for (boolean now : new boolean[] {false, true}) {
      paused.set(now);
      assertEquals(!now, gate.urgent().getAsBoolean());
      assertEquals(!now, gate.others().getAsBoolean());
      assertEquals(now, gate.paused().getAsBoolean());
    }
  }
}
