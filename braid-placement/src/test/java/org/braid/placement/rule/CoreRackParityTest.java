package org.braid.placement.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.RandomReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicationPolicies;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class CoreRackParityTest {
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
            RandomReplication.place(
                EligibleNodes.all(topology), -1, 3, ReplicaLayout.HDFS, random));
      }
      EncodedStripe even = rule.layout(EligibleNodes.all(topology), replicas, random);
      int rack = random.nextInt(topology.racks());
      EncodedStripe near =
          CoreRackParity.in(rule, EligibleNodes.all(topology), even, replicas, rack, random);
      int[] nodeOf = near.nodes();
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

  /** Those with the type of storage that a policy wants, of which each rack has a few. */
  @Test
  void parityOnAPreferredNodeStaysOnSuch() {
    Random random = Seeds.random(getClass());
    StripeRule rule = StripeRules.of(code, StripeLimits.perRack(4));
    EligibleNodes all = EligibleNodes.all(topology);
    EligibleNodes preferred = all.only(node -> node % 5 < 2);
    long moved = 0;
    for (int round = 0; round < 200; round++) {
      List<int[]> replicas = new ArrayList<>();
      for (int block = 0; block < code.k(); block++) {
        replicas.add(RandomReplication.place(all, -1, 3, ReplicaLayout.HDFS, random));
      }
      EncodedStripe even = rule.layout(all, replicas, random);
      int rack = random.nextInt(topology.racks());
      EncodedStripe near = CoreRackParity.in(rule, all, preferred, even, replicas, rack, random);
      for (int i = 0; i < code.m(); i++) {
        int before = even.parityNodes()[i];
        int now = near.parityNodes()[i];
        assertTrue(preferred.contains(now) || !preferred.contains(before), before + " to " + now);
        moved += now != before && preferred.contains(before) ? 1 : 0;
      }
    }
    assertTrue(moved > 0, "none moved between preferred nodes");
  }

  /** What encoding-aware replication wrote leaves room for parity in its core rack. */
  @Test
  void dataGivesWayToParity() {
    Random random = Seeds.random(getClass());
    StripeLimits limits = StripeLimits.perRack(code.m());
    StripeRule rule = StripeRules.of(code, limits);
    PreEncodingStore<Integer> store = new PreEncodingStore<>(code.k());
    BlockPlacer placer = ReplicationPolicies.EAR.placer(rule, ReplicaLayout.HDFS);
    int stripes = 0;
    long inCore = 0;
    while (stripes < 50) {
      int first = PreEncodingStore.first(EligibleNodes.all(topology), -1, 3, random);
      var sealed = store.add(0, placer, EligibleNodes.all(topology), first, 3, random).sealed();
      if (sealed.isPresent()) {
        stripes++;
        List<int[]> replicas = sealed.get().replicas();
        int core = sealed.get().coreRack();
        EncodedStripe even = rule.layout(EligibleNodes.all(topology), replicas, random);
        EncodedStripe near =
            CoreRackParity.in(rule, EligibleNodes.all(topology), even, replicas, core, random);
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
    EncodedStripe layout = new EncodedStripe(new int[] {0, 5}, List.of(), new int[] {10});
    List<int[]> replicas = List.of(new int[] {0}, new int[] {5});
    assertEquals(
        layout,
        CoreRackParity.in(rule, EligibleNodes.all(topology), layout, replicas, -1, new Random(1)));
  }
}
