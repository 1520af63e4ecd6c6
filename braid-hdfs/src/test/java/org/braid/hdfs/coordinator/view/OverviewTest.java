package org.braid.hdfs.coordinator.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

/** How the damage of a whole cluster is looked at. */
final class OverviewTest {
  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String stripe = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");
  private final List<String> asked = new ArrayList<>();

  /** Pages of what the NameNode counts as damaged. */
  private final List<List<StripeStatus>> damaged = new ArrayList<>();

  private final class FakeStripes implements Overview.Stripes {
    @Override
    public void damaged(Page<StripeStatus> pages) throws IOException {
      asked.add("damaged");
      for (List<StripeStatus> page : damaged) {
        pages.take(page);
      }
    }

    @Override
    public void unsound(ClusterState state, Page<StripeStatus> pages) throws IOException {
      asked.add("unsound");
      pages.take(cluster.stripes());
    }
  }

  private Health health() throws IOException {
    ClusterState state = cluster.look();
    HealthTally tally = new HealthTally(state);
    assertEquals(0, Overview.damage(new FakeStripes(), tally, state, false));
    return tally.health(false, 0);
  }

  /** As after a failover while they are listed. */
  @Test
  void aStripeOnTwoPagesCountsOnce() throws Exception {
    cluster.lose(cluster.block(stripe, 1));
    damaged.add(cluster.stripes());
    damaged.add(cluster.stripes());
    Health health = health();
    assertTrue(health.causes().get(0).what().startsWith("1 stripe with lost"), health.toString());
    assertEquals(List.of("damaged"), asked);
  }

  /** As the status of a path says, too. */
  @Test
  void blocksOfNodesWithoutThePluginAreMissedThoughTheNameNodeHasThem() throws Exception {
    cluster.unplug("r1n0");
    Health health = health();
    assertTrue(health.causes().get(0).what().startsWith("1 stripe with lost"), health.toString());
    assertEquals(List.of("damaged", "unsound"), asked);
  }
}
