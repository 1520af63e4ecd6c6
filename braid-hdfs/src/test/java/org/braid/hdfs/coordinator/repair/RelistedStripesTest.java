package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.junit.jupiter.api.Test;

/** Stripes that are on several pages, as those that lost another block meanwhile. */
final class RelistedStripesTest extends RepairsOnFakes {
  /** Lists what is damaged at once, and again when a node answers. */
  private final class Twice implements RepairFeed {
    private final String node;
    private int listed;

    Twice(String node) {
      this.node = node;
    }

    @Override
    public Optional<List<Damaged>> next(ClusterState state, long millis) throws IOException {
      boolean answers = state.answers(state.indexOf(node).orElseThrow());
      if (listed == (answers ? 2 : 1)) {
        return Optional.empty();
      }
      listed++;
      return Optional.of(damaged());
    }

    @Override
    public boolean ended() {
      return listed == 2;
    }
  }

  /** Those that found no place are looked at now and then: it may be repaired before that. */
  @Test
  void oneThatFoundNoPlaceAndIsListedAgainIsRepairedOnce() throws Exception {
    String id = cluster.stripe("rs-3-2", 1, HOMES);
    cluster.kill("r0n0");
    cluster.silence("r0n1");
    work.refreshMillis = 5_000;
    work.atLook(2, () -> cluster.revive("r0n1"));
    assertEquals(0, run(new Twice("r0n1")));
    assertEquals(List.of(id), work.begun);
    assertEquals(Map.of(id, Map.of(0, "r0n1")), work.repaired);
    assertEquals(Map.of(), work.givenUp);
  }
}
