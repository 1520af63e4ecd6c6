package org.braid.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.StripePlacement.StripeLayout;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class NearParityTest {
  private final Topology topology = Topology.of(8, 5);
  private final ErasureCode code = Codes.named("rs-6-4");

  @Test
  void fillsTheRackUpToTheRule() {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 200; round++) {
      int perRack = 1 + random.nextInt(4);
      StripeRule rule = StripeRules.of(code, StripeLimits.perRack(Math.max(2, perRack)));
      List<int[]> replicas = new ArrayList<>();
      for (int block = 0; block < code.k(); block++) {
        replicas.add(
            RandomReplication.place(topology, node -> true, -1, 3, ReplicaLayout.HDFS, random));
      }
      StripeLayout even = rule.layout(topology, node -> true, replicas, random);
      int rack = random.nextInt(topology.racks());
      StripeLayout near = NearParity.in(rule, topology, node -> true, even, replicas, rack, random);
      int[] nodeOf = Arrays.copyOf(near.dataNodes(), code.n());
      System.arraycopy(near.parityNodes(), 0, nodeOf, code.k(), code.m());
      List<Integer> all = IntStream.range(0, code.n()).boxed().toList();
      assertTrue(rule.breaches(topology, nodeOf, all).isEmpty());
      long inRack = IntStream.of(nodeOf).filter(node -> topology.rackOf(node) == rack).count();
      long parities =
          IntStream.of(near.parityNodes()).filter(node -> topology.rackOf(node) == rack).count();
      assertTrue(parities == code.m() || inRack == rule.perRack(), inRack + " of " + rule);
      assertEquals(even.relocated(), near.relocated());
      for (int block = 0; block < code.k(); block++) {
        int home = near.dataNodes()[block];
        boolean kept = IntStream.of(replicas.get(block)).anyMatch(node -> node == home);
        assertTrue(kept || even.relocated().contains(block), "block " + block + " would move");
      }
    }
  }

  /** What encoding-aware replication wrote leaves room for parity in its core rack. */
  @Test
  void dataGivesWayToParity() {
    Random random = Seeds.random(getClass());
    StripeLimits limits = StripeLimits.perRack(code.m());
    StripeRule rule = StripeRules.of(code, limits);
    PreEncodingStore<Integer> store = new PreEncodingStore<>(code.k());
    var cluster =
        new PreEncodingStore.Cluster(
            topology,
            ReplicationPolicies.named("ear").on(topology, code, limits, ReplicaLayout.HDFS),
            node -> true);
    int stripes = 0;
    long inCore = 0;
    while (stripes < 50) {
      int first = PreEncodingStore.first(topology, node -> true, -1, 3, random);
      var sealed = store.add(0, cluster, first, 3, random).sealed();
      if (sealed.isPresent()) {
        stripes++;
        List<int[]> replicas = sealed.get().replicas();
        int core = sealed.get().coreRack();
        StripeLayout even = rule.layout(topology, node -> true, replicas, random);
        StripeLayout near =
            NearParity.in(rule, topology, node -> true, even, replicas, core, random);
        inCore +=
            IntStream.of(near.parityNodes()).filter(node -> topology.rackOf(node) == core).count();
      }
    }
    // But for the few stripes whose data has too few other racks.
    assertTrue(inCore >= 0.9 * code.m() * stripes, inCore + " of 200 parities in core racks");
  }

  @Test
  void withoutARackNothingMoves() {
    StripeRule rule = StripeRules.of(code, StripeLimits.perRack(2));
    StripeLayout layout = new StripeLayout(new int[] {0, 5}, List.of(), new int[] {10});
    List<int[]> replicas = List.of(new int[] {0}, new int[] {5});
    assertEquals(
        layout, NearParity.in(rule, topology, node -> true, layout, replicas, -1, new Random(1)));
  }
}
