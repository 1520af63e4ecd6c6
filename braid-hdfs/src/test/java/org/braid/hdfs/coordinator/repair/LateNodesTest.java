package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.plan.manage.RepairFailure;
import org.junit.jupiter.api.Test;

/** Nodes that do not answer or report in time, as their hosts have too much to do. */
final class LateNodesTest extends RepairsOnFakes {
  private void delay(String node) {
    cluster.delay(node);
    work.slow.add(node);
  }

  @Test
  void whatABusyNodeHasIsNotRebuilt() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    work.attempts.add(
        unused -> {
          delay("r1n0");
          throw new AttemptFailed(new RepairFailure(Set.of(), Set.of(), "a helper is late"), null);
        });
    run();
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
  }

  /** Looks at the cluster are the rarer the longer they take. */
  @Test
  void theTimeThatLateNodesHaveIsNoPartOfALook() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.silence("r0n1");
    work.atLook(
        3,
        () -> {
          delay("r4n1");
          work.atLook(4, () -> cluster.revive("r0n1"));
        });
    long begun = ticker.millis();
    run();
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
    long lasted = ticker.millis() - begun;
    assertTrue(lasted >= PATIENCE && lasted < PATIENCE + 4000, lasted + " ms");
  }

  /** In a large cluster that takes minutes. */
  @Test
  void theFirstReportOfANodeThatIsBackIsAwaited() throws Exception {
    delay = 900_000;
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.lose(cluster.block(id, 0));
    cluster.unreported("r0n0", 60_000);
    assertEquals(1, run());
    assertEquals(List.of(), work.begun);
    cluster.reported("r0n0");
    assertEquals(0, run());
    assertEquals(Set.of(id), work.repaired.keySet());
  }
}
