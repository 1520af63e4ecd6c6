package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Every policy with every layout of 2 to 8 replicas. */
class ReplicaLayoutTest {
  private static final ErasureCode CODE = Codes.named("lrc-10-2-2");

  @Test
  void everyPolicyKeepsEveryLayout() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(20, 8);
    StripeLimits limits = StripeLimits.perRack(2);
    for (ReplicationPolicy policy : ReplicationPolicies.all()) {
      for (ReplicaLayout layout : ReplicaLayout.values()) {
        for (int replicas = 2; replicas <= 8; replicas++) {
          BlockPlacer placer = policy.placer(StripeRules.of(CODE, limits), layout);
          ReplicatedStripe state = ReplicatedStripe.EMPTY;
          for (int block = 0; block < CODE.k(); block++) {
            BlockPlacement placed =
                placer.place(state, EligibleNodes.all(topology), -1, replicas, random);
            state = state.plus(placed);
            check(topology, layout, replicas, placed.nodes());
            if (policy != ReplicationPolicies.RANDOM) {
              assertEquals(placed.coreRack(), topology.rackOf(placed.nodes()[0]));
            }
          }
          if (policy == ReplicationPolicies.EAR) {
            assertTrue(limits.matching(topology, state.replicas()).isFull());
          }
        }
      }
    }
  }

  private static void check(Topology topology, ReplicaLayout layout, int replicas, int[] nodes) {
    assertEquals(replicas, Arrays.stream(nodes).distinct().count());
    int[] racks = Arrays.stream(nodes).map(topology::rackOf).toArray();
    int distinct = (int) Arrays.stream(racks).distinct().count();
    switch (layout) {
      case ALL_DIFFERENT -> assertEquals(replicas, distinct);
      case TWO_RACKS -> {
        assertEquals(2, distinct);
        assertEquals(1, Arrays.stream(racks).filter(rack -> rack == racks[0]).count());
      }
      default -> assertTrue(distinct >= 2, Arrays.toString(racks));
    }
  }

  @Test
  void strictLayoutsAreRefusedWithNumbers() {
    Topology topology = Topology.of(3, 3);
    assertEquals(
        "a block of 4 replicas in different racks needs 4 racks, 3 have eligible nodes: add racks,"
            + " lower the replication or choose another layout",
        refusal(topology, 4, ReplicaLayout.ALL_DIFFERENT));
    assertEquals(
        "a block of 5 replicas in two racks, the first in rack r0, needs 4 eligible nodes in one"
            + " other rack, the largest has 3: add nodes, lower the replication or choose another"
            + " layout",
        refusal(topology, 5, ReplicaLayout.TWO_RACKS));
  }

  private static String refusal(Topology topology, int replicas, ReplicaLayout layout) {
    return String.valueOf(
        assertThrows(
                PlacementException.class,
                () ->
                    RandomReplication.place(
                        EligibleNodes.all(topology), 0, replicas, layout, new Random(1)))
            .getMessage());
  }

  /** A construction must not choose a second rack that is too small for the other replicas. */
  @Test
  void constructionsKeepTheLayoutToo() {
    Random random = Seeds.random(getClass());
    Topology.Builder builder = Topology.builder();
    for (int rack = 0; rack < 8; rack++) {
      for (int node = 0; node < 2 + rack % 3; node++) {
        builder.add("r" + rack + "n" + node, "r" + rack);
      }
    }
    Topology topology = builder.build();
    for (ReplicaLayout layout : List.of(ReplicaLayout.TWO_RACKS, ReplicaLayout.ALL_DIFFERENT)) {
      EncodingAwareReplication policy =
          new EncodingAwareReplication(StripeLimits.perRack(2), layout, 0);
      for (int round = 0; round < 300; round++) {
        ReplicatedStripe state = ReplicatedStripe.EMPTY;
        for (int block = 0; block < 6; block++) {
          state = state.plus(policy.place(state, EligibleNodes.all(topology), -1, 4, random));
          check(topology, layout, 4, state.replicas().get(block));
        }
        assertTrue(StripeLimits.perRack(2).matching(topology, state.replicas()).isFull());
      }
    }
  }

  @Test
  void namesAreFoundAndUnknownOnesListed() {
    for (ReplicaLayout layout : ReplicaLayout.values()) {
      assertEquals(layout, ReplicaLayout.named(layout.label()));
    }
    for (ReplicationPolicy policy : ReplicationPolicies.all()) {
      assertEquals(policy, ReplicationPolicies.named(policy.name()));
      assertTrue(policy.source().startsWith("EAR"), policy.source());
    }
    assertEquals(
        "unknown replica layout \"x\"; known: hdfs, two-racks, all-different",
        assertThrows(IllegalArgumentException.class, () -> ReplicaLayout.named("x")).getMessage());
    assertEquals(
        "unknown placement policy \"x\"; known: random, preliminary, ear, ear-lrc",
        assertThrows(IllegalArgumentException.class, () -> ReplicationPolicies.named("x"))
            .getMessage());
  }
}
