package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RepairScopeTest {
  /** What urgent repairs were begun for was seen with patience: it is to be repaired like that. */
  @Test
  void onlyReadersDoNotWaitForLateNodes() {
    assertFalse(RepairScope.awaited(List.of(), () -> false).isPatient());
    assertTrue(RepairScope.urgent(List.of(), () -> false).isPatient());
    assertTrue(RepairScope.urgent(List.of(), () -> false).awaited());
  }
}
