package org.braid.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.placement.PreEncodingStore.Cluster;
import org.braid.placement.PreEncodingStore.Stored;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class PreEncodingStoreTest {
  private static final int K = 6;
  private static final StripeLimits LIMITS = StripeLimits.perRack(1);
  private static final StripeRule RULE = StripeRules.of(Codes.named("rs-6-3"), LIMITS);

  private static Cluster cluster(Topology topology) {
    return new Cluster(topology, new EncodingAwareReplication(topology, LIMITS), Small::all);
  }

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
                .add(block, cluster(topology), random.nextInt(topology.nodes()), 3, random)
                .block()
                .nodes());
      }
      PreEncodingStore<Integer> restored = new PreEncodingStore<>(K);
      for (int block = 0; block < placed.size(); block++) {
        restored.restore(block, names(topology, placed.get(block)), topology, RULE);
      }
      assertEquals(store.waiting(), restored.waiting());
      int sealed = 0;
      for (int block = 200; restored.waiting() > 0 && block < 600; block++) {
        Stored stored =
            restored.add(block, cluster(topology), random.nextInt(topology.nodes()), 3, random);
        if (stored.sealed().isPresent()) {
          var stripe = stored.sealed().get();
          sealed++;
          assertEquals(K, stripe.replicas().size());
          assertTrue(Matching.of(topology, stripe.replicas(), LIMITS).isFull());
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

  @Test
  void blocksThatAreNoMoreMakeRoomForOthers() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(8, 3);
    PreEncodingStore<Integer> store = new PreEncodingStore<>(K);
    for (int block = 0; block < K - 1; block++) {
      assertTrue(store.add(block, cluster(topology), 0, 3, random).sealed().isEmpty());
    }
    assertEquals(K - 1, store.waiting());
    store.refresh(
        topology.rackName(0),
        waiting -> waiting.block() == 2 ? Optional.empty() : Optional.of(waiting.nodes()),
        topology,
        RULE);
    store.forget(3, topology, RULE);
    assertEquals(K - 3, store.waiting());
    assertTrue(store.add(7, cluster(topology), 0, 3, random).sealed().isEmpty());
    assertTrue(store.add(8, cluster(topology), 1, 3, random).sealed().isEmpty());
    assertTrue(store.add(9, cluster(topology), 2, 3, random).sealed().isPresent());
    assertEquals(0, store.waiting());
  }

  /** Nodes of half of the racks die: the stripe that waited cannot be completed, another begins. */
  @Test
  void aStripeThatCannotGrowIsLeftShort() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(8, 3);
    PreEncodingStore<Integer> store = new PreEncodingStore<>(K);
    for (int block = 0; block < 4; block++) {
      store.add(block, cluster(topology), 0, 3, random);
    }
    Cluster small =
        new Cluster(
            topology,
            new EncodingAwareReplication(topology, new StripeLimits(1, java.util.Set.of(0, 1, 2))),
            node -> node < 9);
    for (int block = 4; block < 10; block++) {
      assertEquals(3, store.add(block, small, 0, 3, random).block().nodes().length);
    }
  }
}
