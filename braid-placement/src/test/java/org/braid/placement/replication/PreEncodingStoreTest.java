package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.braid.code.Codes;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.PreEncodingStore.Stored;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.rule.TargetRacks;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class PreEncodingStoreTest {
  private static final int K = 6;
  private static final StripeLimits LIMITS = StripeLimits.perRack(1);
  private static final StripeRule RULE = StripeRules.of(Codes.named("rs-6-3"), LIMITS);

  private static final BlockPlacer PLACER =
      new EncodingAwareReplication(LIMITS, ReplicaLayout.HDFS);

  private static List<String> names(Topology topology, int[] nodes) {
    return Arrays.stream(nodes).mapToObj(topology::nodeName).toList();
  }

  /** What a new store reads from replicas seals the same stripes as the one that placed them. */
  @Test
  void aRestoredStoreGoesOnWhereTheOldOneWas() {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 10; round++) {
      Topology topology = Topology.of(9 + random.nextInt(6), 4);
      PreEncodingStore<Integer> store = new PreEncodingStore<>(K);
      List<int[]> placed = new ArrayList<>();
      for (int block = 0; block < 200; block++) {
        placed.add(
            store
                .add(
                    block,
                    PLACER,
                    EligibleNodes.all(topology),
                    random.nextInt(topology.nodes()),
                    3,
                    random)
                .block()
                .nodes());
      }
      PreEncodingStore<Integer> restored = new PreEncodingStore<>(K);
      for (int block = 0; block < placed.size(); block++) {
        restored.restore(block, names(topology, placed.get(block)), topology, rack -> RULE);
      }
      assertEquals(store.waiting(), restored.waiting());
      int sealed = 0;
      for (int block = 200; restored.waiting() > 0 && block < 600; block++) {
        Stored stored =
            restored.add(
                block,
                PLACER,
                EligibleNodes.all(topology),
                random.nextInt(topology.nodes()),
                3,
                random);
        if (stored.sealed().isPresent()) {
          var stripe = stored.sealed().get();
          sealed++;
          assertEquals(K, stripe.replicas().size());
          assertTrue(LIMITS.matching(topology, stripe.replicas()).isFull());
          assertEquals(
              0,
              stripe.replicas().stream()
                  .filter(
                      nodes ->
                          Arrays.stream(nodes)
                              .noneMatch(n -> topology.rackOf(n) == stripe.coreRack()))
                  .count());
        }
      }
      assertTrue(sealed > 10, sealed + " stripes sealed");
    }
  }

  /**
   * Each core rack has target racks of its own: a block of one rack closes no stripe of another.
   */
  @Test
  void aRestoredStoreKnowsTheRulesOfAllRacks() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(8, 3);
    EligibleNodes all = EligibleNodes.all(topology);
    Map<String, StripeLimits> limits = new HashMap<>();
    for (int rack = 0; rack < topology.racks(); rack++) {
      limits.put(topology.rackName(rack), new StripeLimits(3, TargetRacks.random(all, 3, random)));
    }
    Function<String, StripeRule> rules =
        rack -> StripeRules.of(Codes.named("rs-6-3"), Objects.requireNonNull(limits.get(rack)));
    PreEncodingStore<Integer> store = new PreEncodingStore<>(K);
    PreEncodingStore<Integer> restored = new PreEncodingStore<>(K);
    for (int block = 0; block < 100; block++) {
      int writer = random.nextInt(topology.nodes());
      String rack = topology.rackName(topology.rackOf(writer));
      BlockPlacer placer =
          new EncodingAwareReplication(
              Objects.requireNonNull(limits.get(rack)), ReplicaLayout.HDFS);
      int[] placed = store.add(block, placer, all, writer, 3, random).block().nodes();
      restored.restore(block, names(topology, placed), topology, rules);
      assertEquals(store.waiting(), restored.waiting(), "after " + block);
    }
    for (int block = 100; block < 105; block++) {
      restored.forget(block, topology, rules);
    }
    assertEquals(store.waiting(), restored.waiting());
  }

  @Test
  void blocksThatAreNoMoreMakeRoomForOthers() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(8, 3);
    PreEncodingStore<Integer> store = new PreEncodingStore<>(K);
    for (int block = 0; block < K - 1; block++) {
      assertTrue(
          store.add(block, PLACER, EligibleNodes.all(topology), 0, 3, random).sealed().isEmpty());
    }
    assertEquals(K - 1, store.waiting());
    store.refresh(
        topology.rackName(0),
        waiting -> waiting.block() == 2 ? Optional.empty() : Optional.of(waiting.nodes()),
        topology,
        RULE);
    store.forget(3, topology, rack -> RULE);
    assertEquals(K - 3, store.waiting());
    assertTrue(store.add(7, PLACER, EligibleNodes.all(topology), 0, 3, random).sealed().isEmpty());
    assertTrue(store.add(8, PLACER, EligibleNodes.all(topology), 1, 3, random).sealed().isEmpty());
    assertTrue(
        store.add(9, PLACER, EligibleNodes.all(topology), 2, 3, random).sealed().isPresent());
    assertEquals(0, store.waiting());
  }

  /** Nodes of half of the racks die: the stripe that waited cannot be completed, another begins. */
  @Test
  void aStripeThatCannotGrowIsLeftShort() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(8, 3);
    PreEncodingStore<Integer> store = new PreEncodingStore<>(K);
    for (int block = 0; block < 4; block++) {
      store.add(block, PLACER, EligibleNodes.all(topology), 0, 3, random);
    }
    BlockPlacer small =
        new EncodingAwareReplication(new StripeLimits(1, Set.of(0, 1, 2)), ReplicaLayout.HDFS);
    EligibleNodes alive = EligibleNodes.of(topology, node -> node < 9);
    for (int block = 4; block < 10; block++) {
      assertEquals(3, store.add(block, small, alive, 0, 3, random).block().nodes().length);
    }
  }
}
