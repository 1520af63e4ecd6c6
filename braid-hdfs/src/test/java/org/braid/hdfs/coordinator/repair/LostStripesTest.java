package org.braid.hdfs.coordinator.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.stripe.StoragePolicy;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;
import org.junit.jupiter.api.Test;

/** Where lost blocks may be rebuilt by the storage that their files want. */
final class LostStripesTest {
  private final FakeCluster cluster = new FakeCluster(6, 2);
  private final String id = cluster.stripe("rs-3-2", 1, "r0n0", "r1n0", "r2n0", "r3n0", "r4n0");

  /** Nodes of the racks without a block of the stripe that may take the first block. */
  private Set<String> places(StoragePolicy policy) {
    cluster.want(cluster.block(id, 0), policy);
    cluster.kill("r0n0");
    ClusterState state = cluster.look();
    StripeStatus status = cluster.status(id);
    Members members = Members.of(status, state, new BadReplicas());
    LostStripe lost = LostStripes.of(status, members, members.homeless(), state, state.topology());
    Set<String> places = new TreeSet<>();
    for (String node : List.of("r0n1", "r5n0", "r5n1")) {
      if (!lost.notes().forbidden().contains(state.indexOf(node).orElseThrow())) {
        places.add(node);
      }
    }
    return places;
  }

  @Test
  void onlyNodesWithTheStorageAreDestinations() {
    cluster.store("r5n0", Map.of("ARCHIVE", 1L << 30));
    cluster.store("r5n1", Map.of("ARCHIVE", 1L));
    assertEquals(
        Set.of("r5n0"), places(new StoragePolicy("COLD", "ARCHIVE", List.of(), List.of())));
    assertEquals(Set.of("r0n1"), places(StoragePolicy.HOT));
  }

  @Test
  void fallbacksAreDestinationsWhereTheOthersDoNotSuffice() {
    StoragePolicy fast = new StoragePolicy("ALL_SSD", "SSD", List.of(), List.of("DISK"));
    assertEquals(Set.of("r0n1", "r5n0", "r5n1"), places(fast));
    cluster.store("r5n1", Map.of("SSD", 1L << 30));
    assertEquals(Set.of("r5n1"), places(fast));
    // It has a place in no rack.
    cluster.store("r5n1", Map.of("DISK", 1L << 30));
    cluster.store("r4n1", Map.of("SSD", 1L << 30));
    assertEquals(Set.of("r0n1", "r5n0", "r5n1"), places(fast));
  }

  /** HDFS rebuilds a replica of an ordinary file on archives before it leaves it lost. */
  @Test
  void archivesStandInForOrdinaryDisks() {
    for (String node : List.of("r0n1", "r5n0", "r5n1")) {
      cluster.store(node, Map.of("ARCHIVE", 1L << 30, "SSD", 1L << 30));
    }
    assertEquals(Set.of("r0n1", "r5n0", "r5n1"), places(StoragePolicy.HOT));
  }

  /** At each look the manager's view of all nodes is made anew. */
  @Test
  void aViewOfTheNodesIsMadeWithoutACopyForEach() {
    int nodes = 4000;
    FakeCluster large = new FakeCluster(nodes / 40, 40);
    large.kill("r3n1");
    large.retire("r4n1");
    ClusterState state = large.look();
    var thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadAllocatedBytes();
    ClusterSnapshot servers = LostStripes.servers(state.topology(), state, new int[nodes], 1 << 20);
    long bytes = thread.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < 1000L * nodes, bytes + " bytes for " + nodes + " nodes");
    for (int node = 0; node < nodes; node++) {
      assertEquals(state.eligible(node), servers.eligible(node), state.name(node));
    }
  }
}
