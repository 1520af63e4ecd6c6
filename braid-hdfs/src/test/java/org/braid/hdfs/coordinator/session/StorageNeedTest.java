package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoragePolicy;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.junit.jupiter.api.Test;

final class StorageNeedTest {
  private static final StoragePolicy COLD =
      new StoragePolicy("COLD", "ARCHIVE", List.of(), List.of());
  private static final StoragePolicy ONE_SSD =
      new StoragePolicy("ONE_SSD", "SSD", List.of("SSD", "DISK"), List.of("SSD", "DISK"));

  /** r0n0 has an ordinary disk, r0n1 a disk and an archive, r1n0 a full archive, r1n1 fast ones. */
  private final FakeCluster cluster = new FakeCluster(2, 2);

  StorageNeedTest() {
    cluster.store("r0n1", Map.of("DISK", 100L, "ARCHIVE", 100L));
    cluster.store("r1n0", Map.of("ARCHIVE", 9L));
    cluster.store("r1n1", Map.of("SSD", 100L));
  }

  /** On which nodes places are sought, at each attempt; the first ones are not enough. */
  private List<Set<String>> sought(StorageNeed need, int needed) {
    ClusterState state = cluster.look();
    List<Set<String>> sought = new ArrayList<>();
    StorageNeed.Placing<Integer> placing =
        nodes -> {
          sought.add(names(state, nodes));
          if (nodes.size() < needed) {
            throw new PlacementException("nodes", needed, nodes.size(), "too few");
          }
          return nodes.size();
        };
    try {
      assertTrue(need.place(state, 10, node -> true, placing) >= needed);
      assertEquals(
          sought.get(sought.size() - 1),
          names(state, need.nodes(state, 10, node -> true, placing)));
    } catch (PlacementException e) {
      sought.add(Set.of("none"));
    }
    return sought.subList(0, Math.min(2, sought.size()));
  }

  private static Set<String> names(ClusterState state, EligibleNodes nodes) {
    Set<String> names = new TreeSet<>();
    for (int node : nodes.nodes()) {
      names.add(state.name(node));
    }
    return names;
  }

  @Test
  void nodesWithoutRoomOnTheTypeAreNoPlace() {
    assertEquals(List.of(Set.of("r0n1")), sought(StorageNeed.ofNewBlocks(COLD), 1));
    assertEquals(List.of(Set.of("r0n1"), Set.of("none")), sought(StorageNeed.ofNewBlocks(COLD), 2));
    assertEquals(
        List.of(Set.of("r0n0", "r0n1")), sought(StorageNeed.ofNewBlocks(StoragePolicy.HOT), 2));
  }

  @Test
  void fallbacksAreTakenWhereOtherwiseNodesAreTooFew() {
    StorageNeed need = StorageNeed.ofNewBlocks(ONE_SSD);
    List<Set<String>> once = sought(need, 1);
    assertEquals(Set.of("r1n1"), once.get(0));
    assertEquals(List.of(Set.of("r1n1"), Set.of("r0n0", "r0n1", "r1n1")), sought(need, 3));
    assertEquals(
        List.of(Set.of("r0n0", "r0n1"), Set.of("none")),
        sought(StorageNeed.ofNewBlocks(StoragePolicy.HOT), 3),
        "a new block of HOT has no fallback");
  }

  @Test
  void blocksOfSeveralPoliciesGoWhereAllAreServedOrElseWhereOneIs() {
    String stripe = cluster.stripe("rs-3-2", 3, "r0n0", "r0n0", "r0n0", "r0n0", "r0n0");
    cluster.want(cluster.block(stripe, 1), COLD);
    StorageNeed both = StorageNeed.of(cluster.status(stripe), List.of(0, 1));
    assertEquals(List.of(Set.of("r0n1"), Set.of("r0n0", "r0n1")), sought(both, 2));
    assertEquals(
        List.of("DISK", "ARCHIVE"), cluster.status(stripe).storageTypes(0), "of its own first");
    assertEquals(List.of("ARCHIVE", "DISK"), cluster.status(stripe).storageTypes(1));
  }

  /** Its file's policy was changed after encoding. */
  @Test
  void whatOtherFilesOfItsStripeAllowIsBetterForABlockThanNoReplica() {
    String stripe = cluster.stripe("rs-3-2", 3, "r0n0", "r0n0", "r0n0", "r0n0", "r0n0");
    for (int i = 0; i < 3; i++) {
      cluster.want(cluster.block(stripe, i), COLD);
    }
    StorageNeed need = StorageNeed.of(cluster.status(stripe), List.of(1));
    assertEquals(Set.of("r0n1"), sought(need, 1).get(0));
    assertEquals(List.of(Set.of("r0n1"), Set.of("r0n0", "r0n1")), sought(need, 2));
    assertEquals(List.of("ARCHIVE", "DISK"), cluster.status(stripe).storageTypes(1));

    cluster.want(cluster.block(stripe, 3), COLD);
    cluster.want(cluster.block(stripe, 4), COLD);
    need = StorageNeed.of(cluster.status(stripe), List.of(1));
    assertEquals(List.of(Set.of("r0n1"), Set.of("none")), sought(need, 2), "COLD has no fallback");
  }

  @Test
  void ordinaryStripesAskForNoTypes() {
    String stripe = cluster.stripe("rs-3-2", 3, "r0n0", "r0n0", "r0n0", "r0n0", "r0n0");
    assertEquals(List.of(), cluster.status(stripe).storageTypes(0));
    for (int i = 0; i < 5; i++) {
      cluster.want(cluster.block(stripe, i), COLD);
    }
    assertEquals(List.of("ARCHIVE"), cluster.status(stripe).storageTypes(4));
  }

  @Test
  void theReplicaOnTheTypeStays() {
    ClusterState state = cluster.look();
    List<Replica> replicas =
        List.of(
            new Replica("r0n0", false, false, true),
            new Replica("r0n1", false, false, true, "ARCHIVE"),
            new Replica("r1n1", false, false, true, "SSD"));
    BlockStatus block = new BlockStatus(new BlockIdentity(1, 1, 10), replicas, 3, true, List.of());
    int[] holders = state.readable(block);
    int fast = state.indexOf("r1n1").orElseThrow();
    int disk = state.indexOf("r0n0").orElseThrow();
    assertArrayEquals(
        new int[] {fast}, StorageNeed.ofNewBlocks(ONE_SSD).staying(state, block, holders));
    assertArrayEquals(
        new int[] {disk},
        StorageNeed.ofNewBlocks(StoragePolicy.HOT).staying(state, block, holders));
    StoragePolicy other = new StoragePolicy("X", "NVDIMM", List.of(), List.of());
    assertArrayEquals(holders, StorageNeed.ofNewBlocks(other).staying(state, block, holders));
  }

  @Test
  void whatIsMissingIsSaidInNumbers() {
    ClusterState state = cluster.look();
    assertEquals(
        "; 2 of the 4 nodes that may get blocks have no ARCHIVE storage"
            + "; 1 of the 4 nodes that may get blocks has no room on ARCHIVE for one of 10 bytes",
        StorageNeed.ofNewBlocks(COLD).lack(state, 10));
    assertEquals(
        "; 1 of the 4 nodes that may get blocks has no SSD or DISK storage",
        StorageNeed.ofNewBlocks(ONE_SSD).lack(state, 10));
    assertEquals("", StorageNeed.ofNewBlocks(ONE_SSD).lack(new FakeCluster(1, 3).look(), 10));
    assertThrows(
        PlacementException.class,
        () ->
            StorageNeed.ofNewBlocks(COLD)
                .place(
                    new FakeCluster(1, 3).look(),
                    1,
                    node -> true,
                    nodes -> {
                      throw new PlacementException("nodes", 1, nodes.size(), "too few");
                    }));
  }
}
