package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.SmallClusters;
import org.braid.placement.Topology;
import org.braid.placement.rule.EncodedStripe;
import org.braid.placement.rule.StripeAssertions;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripePlacement;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class EncodingAwareReplicationTest extends PlacementContract {

  @Override
  int[] place(EligibleNodes eligible, int writer, int replicas, RandomGenerator random) {
    return new EncodingAwareReplication(StripeLimits.perRack(1), ReplicaLayout.HDFS)
        .place(ReplicatedStripe.EMPTY, eligible, writer, replicas, random)
        .nodes();
  }

  @Test
  void papersClustersNeedNoDownloadAndNoRelocation() {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 100; round++) {
      stripe(Topology.of(6, 3), StripeLimits.perRack(2), 6, 3, 3, 1000, random);
      stripe(Topology.of(20, 20), StripeLimits.perRack(1), 10, 4, 3, 1000, random);
      stripe(Topology.of(16, 4), StripeLimits.perRack(1), 12, 4, 3, 1000, random);
      stripe(Topology.of(6, 4), new StripeLimits(3, Set.of(1, 4)), 3, 3, 3, 1000, random);
    }
  }

  @Test
  void anyClusterThatFitsTheStripeNeedsNoRelocation() {
    Random random = Seeds.random(getClass());
    int fitting = 0;
    while (fitting < 1500) {
      Topology topology = SmallClusters.topology(random, 8, 5);
      int k = 1 + random.nextInt(8);
      int parities = 1 + random.nextInt(4);
      StripeLimits limits;
      try {
        limits = StripeLimits.smallest("x", k + parities, parities, EligibleNodes.all(topology));
      } catch (PlacementException e) {
        continue;
      }
      fitting++;
      int replicas = Math.min(2 + random.nextInt(3), topology.nodes());
      int maxAttempts = random.nextInt(3) * 2; // 0 always constructs
      if (replicas > 1) {
        stripe(topology, limits, k, parities, replicas, maxAttempts, random);
      }
    }
  }

  /** Writes one stripe and checks what EAR promises after each block and after encoding. */
  private static void stripe(
      Topology topology,
      StripeLimits limits,
      int k,
      int parities,
      int replicas,
      int maxAttempts,
      Random random) {
    EncodingAwareReplication policy =
        new EncodingAwareReplication(limits, ReplicaLayout.HDFS, maxAttempts);
    ReplicatedStripe state = ReplicatedStripe.EMPTY;
    for (int i = 1; i <= k; i++) {
      int writer = random.nextInt(topology.nodes() + 1) - 1;
      BlockPlacement block =
          policy.place(state, EligibleNodes.all(topology), writer, replicas, random);
      assertTrue(state.coreRack() < 0 || state.coreRack() == block.coreRack());
      assertEquals(block.coreRack(), topology.rackOf(block.nodes()[0]));
      assertEquals(replicas, Arrays.stream(block.nodes()).distinct().count());
      assertTrue(block.attempts() <= maxAttempts + 1);
      state = state.plus(block);
      assertEquals(i, limits.matching(topology, state.replicas()).size());
    }
    int encoder = EncoderChoice.coreRack(EligibleNodes.all(topology), state.replicas(), random);
    assertEquals(0, EncoderChoice.crossRackDownloads(topology, encoder, state.replicas()));
    EncodedStripe layout =
        StripePlacement.layout(
            EligibleNodes.all(topology), state.replicas(), parities, limits, random);
    assertEquals(List.of(), layout.relocated());
    StripeAssertions.assertLegal(
        EligibleNodes.all(topology), state.replicas(), parities, limits, layout);
  }

  /** Expected draws of block i are at most 1 / (1 - floor((i - 1) / c) / (R - 1)). */
  @Test
  void drawsAreFew() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(16, 4);
    EncodingAwareReplication policy =
        new EncodingAwareReplication(StripeLimits.perRack(1), ReplicaLayout.HDFS);
    int stripes = 2000;
    double sum = 0;
    double squares = 0;
    for (int stripe = 0; stripe < stripes; stripe++) {
      ReplicatedStripe state = ReplicatedStripe.EMPTY;
      int last = 0;
      for (int i = 1; i <= 12; i++) {
        BlockPlacement block = policy.place(state, EligibleNodes.all(topology), -1, 3, random);
        state = state.plus(block);
        last = block.attempts();
      }
      sum += last;
      squares += last * last;
    }
    double mean = sum / stripes;
    double error = Math.sqrt((squares / stripes - mean * mean) / stripes);
    double bound = 1 / (1 - 11 / 15.0);
    assertTrue(mean > 1.5 && mean < bound + 5 * error, mean + " draws, bound " + bound);
  }

  @Test
  void singleReplicasAreSpreadByTheFlow() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(6, 3);
    StripeLimits limits = StripeLimits.perRack(2);
    EncodingAwareReplication policy = new EncodingAwareReplication(limits, ReplicaLayout.HDFS);
    for (int round = 0; round < 200; round++) {
      ReplicatedStripe state = ReplicatedStripe.EMPTY;
      for (int i = 1; i <= 6; i++) {
        BlockPlacement block =
            policy.place(state, EligibleNodes.all(topology), random.nextInt(18), 1, random);
        assertEquals(i <= 2, topology.rackOf(block.nodes()[0]) == block.coreRack());
        state = state.plus(block);
        assertEquals(i, limits.matching(topology, state.replicas()).size());
      }
    }
  }

  @Test
  void stripeOfFoundBlocksGoesOnInItsFullestRack() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(5, 4);
    StripeLimits limits = StripeLimits.perRack(1);
    EncodingAwareReplication policy = new EncodingAwareReplication(limits, ReplicaLayout.HDFS);
    // Blocks 1 and 2 cannot both keep a replica; rack 1 holds three blocks, no other more than two.
    List<int[]> found = List.of(new int[] {4, 5}, new int[] {5, 6}, new int[] {4, 8, 9});
    assertEquals(2, limits.matching(topology, found).size());
    for (int round = 0; round < 100; round++) {
      BlockPlacement block =
          policy.place(new ReplicatedStripe(-1, found), EligibleNodes.all(topology), 17, 3, random);
      assertEquals(1, block.coreRack());
      List<int[]> more = new ArrayList<>(found);
      more.add(block.nodes());
      assertEquals(3, limits.matching(topology, more).size());
      BlockPlacement noCore =
          policy.place(
              new ReplicatedStripe(-1, found),
              EligibleNodes.of(topology, node -> topology.rackOf(node) != 1),
              17,
              3,
              random);
      assertEquals(2, noCore.coreRack());
    }
  }

  @Test
  void constructsWhatDrawsMiss() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(400, 2);
    List<int[]> earlier = new ArrayList<>();
    Set<Integer> targets = new TreeSet<>(Set.of(0, 1, 2));
    earlier.add(new int[] {0, 2, 3});
    earlier.add(new int[] {1, 2, 3});
    EncodingAwareReplication policy =
        new EncodingAwareReplication(new StripeLimits(1, targets), ReplicaLayout.HDFS, 3);
    boolean constructed = false;
    for (int round = 0; round < 20; round++) {
      BlockPlacement block =
          policy.place(
              new ReplicatedStripe(0, earlier), EligibleNodes.all(topology), -1, 3, random);
      assertEquals(0, topology.rackOf(block.nodes()[0]));
      assertEquals(2, topology.rackOf(block.nodes()[1]));
      assertEquals(2, topology.rackOf(block.nodes()[2]));
      constructed |= block.attempts() == 4;
    }
    assertTrue(constructed);
  }

  @Test
  void constructsInTheCoreRackWhenOnlyThatIsLeft() {
    Topology topology = Topology.of(3, 3);
    StripeLimits limits = new StripeLimits(2, Set.of(0));
    List<int[]> earlier = List.of(new int[] {0, 3, 4});
    for (int seed = 0; seed < 30; seed++) {
      BlockPlacement block =
          new EncodingAwareReplication(limits, ReplicaLayout.HDFS, 0)
              .place(
                  new ReplicatedStripe(0, earlier),
                  EligibleNodes.all(topology),
                  0,
                  3,
                  new Random(seed));
      assertTrue(block.nodes()[0] == 1 || block.nodes()[0] == 2);
    }
  }

  @Test
  void refusesWithNumbers() {
    Topology topology = Topology.of(3, 3);
    EncodingAwareReplication policy =
        new EncodingAwareReplication(StripeLimits.perRack(1), ReplicaLayout.HDFS, 5);
    ReplicatedStripe state =
        new ReplicatedStripe(0, List.of(new int[] {0, 3, 4}, new int[] {1, 3, 5}));
    PlacementException noPlace =
        assertThrows(
            PlacementException.class,
            () ->
                policy.place(
                    state, EligibleNodes.of(topology, node -> node < 6), -1, 3, new Random(1)));
    assertEquals(
        "block 3 of the stripe needs a node that lets 3 blocks keep a replica on distinct nodes"
            + " with at most 1 block of a stripe in a rack, 2 do without it and none of the 6 eligible nodes adds"
            + " one: allow more blocks a rack, add target racks or nodes, or start another stripe",
        noPlace.getMessage());
    assertEquals(3, noPlace.needed());
    assertEquals(2, noPlace.available());
    assertEquals(
        noPlace.getMessage(),
        assertThrows(
                PlacementException.class,
                () ->
                    policy.place(
                        state, EligibleNodes.of(topology, node -> node < 6), -1, 1, new Random(1)))
            .getMessage());
    assertEquals(
        "core rack r0 has no eligible node for the first replica of block 3 of the stripe: start a"
            + " stripe in another core rack",
        assertThrows(
                PlacementException.class,
                () ->
                    policy.place(
                        state, EligibleNodes.of(topology, node -> node > 2), -1, 3, new Random(1)))
            .getMessage());
    assertEquals(
        "core rack 3 is not among the 3 racks",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    policy.place(
                        new ReplicatedStripe(3, List.of()),
                        EligibleNodes.all(topology),
                        -1,
                        3,
                        new Random(1)))
            .getMessage());
    assertEquals(
        "maxAttempts is -1, needed is 0 or more",
        assertThrows(
                IllegalArgumentException.class,
                () -> new EncodingAwareReplication(StripeLimits.perRack(1), ReplicaLayout.HDFS, -1))
            .getMessage());
  }
}
