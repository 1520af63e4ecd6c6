package org.braid.placement.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.SmallClusters;
import org.braid.placement.Topology;
import org.braid.placement.replication.RandomReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class StripePlacementTest {
  @Test
  void relocatesAsFewAsBruteForceAndRefusesOnlyTheImpossible() {
    Random random = Seeds.random(StripePlacementTest.class);
    int refused = 0;
    int relocating = 0;
    for (int round = 0; round < 1500; round++) {
      Topology topology = SmallClusters.topology(random, 4, 2);
      EligibleNodes eligible = SmallClusters.eligible(random, topology, 0.85);
      StripeLimits limits = SmallClusters.limits(random, topology);
      List<int[]> replicas = SmallClusters.replicas(random, topology, 1 + random.nextInt(3), 3);
      int parities = random.nextInt(3);
      int fewest =
          SmallClusters.fewestRelocations(eligible, limits, replicas, replicas.size() + parities);
      if (fewest == Integer.MAX_VALUE) {
        refused++;
        assertThrows(
            PlacementException.class,
            () -> StripePlacement.layout(eligible, replicas, parities, limits, random));
        continue;
      }
      EncodedStripe layout = StripePlacement.layout(eligible, replicas, parities, limits, random);
      assertEquals(fewest, layout.relocated().size());
      StripeAssertions.assertLegal(eligible, replicas, parities, limits, layout);
      relocating += fewest > 0 ? 1 : 0;
    }
    assertTrue(refused > 100 && relocating > 100, refused + " refused, " + relocating + " moved");
  }

  @Test
  void largeStripesRelocateWhatTheMatchingCannotKeep() {
    Random random = Seeds.random(StripePlacementTest.class);
    for (int round = 0; round < 300; round++) {
      Topology topology = Topology.of(7, 6);
      EligibleNodes eligible = SmallClusters.eligible(random, topology, 0.9);
      List<int[]> replicas = new ArrayList<>();
      for (int block = 0; block < 10; block++) {
        replicas.add(
            RandomReplication.place(
                EligibleNodes.all(topology), -1, 3, ReplicaLayout.HDFS, random));
      }
      StripeLimits limits = StripeLimits.perRack(2);
      EncodedStripe layout;
      try {
        layout = StripePlacement.layout(eligible, replicas, 4, limits, random);
      } catch (PlacementException e) {
        assertTrue(e.available() < 14, e.getMessage());
        continue;
      }
      StripeAssertions.assertLegal(eligible, replicas, 4, limits, layout);
      List<int[]> present = eligible.among(replicas);
      assertEquals(10 - limits.matching(topology, present).size(), layout.relocated().size());
    }
  }

  @Test
  void paritiesGoToRacksWithFewestBlocks() {
    Topology topology = Topology.of(4, 4);
    List<int[]> replicas =
        List.of(new int[] {0}, new int[] {1}, new int[] {4}, new int[] {5}, new int[] {8});
    for (int seed = 0; seed < 50; seed++) {
      EncodedStripe layout =
          StripePlacement.layout(
              EligibleNodes.all(topology), replicas, 3, StripeLimits.perRack(3), new Random(seed));
      int[] racks = Arrays.stream(layout.parityNodes()).map(topology::rackOf).sorted().toArray();
      assertEquals(List.of(2, 3, 3), Arrays.stream(racks).boxed().toList());
    }
  }

  @Test
  void relocatedBlockStaysInItsRackIfItCan() {
    Topology topology = Topology.of(4, 4);
    List<int[]> replicas = List.of(new int[] {0}, new int[] {0}, new int[] {4});
    for (int seed = 0; seed < 50; seed++) {
      EncodedStripe layout =
          StripePlacement.layout(
              EligibleNodes.all(topology), replicas, 1, StripeLimits.perRack(2), new Random(seed));
      assertEquals(1, layout.relocated().size());
      assertEquals(0, topology.rackOf(layout.dataNodes()[layout.relocated().get(0)]));
    }
  }

  /** Of equally good replicas each is kept equally often, so that trimming loads no node more. */
  @Test
  void keptReplicaIsRandom() {
    Random random = Seeds.random(StripePlacementTest.class);
    Topology topology = Topology.of(3, 1);
    int[] kept = new int[3];
    for (int round = 0; round < 3000; round++) {
      EncodedStripe layout =
          StripePlacement.layout(
              EligibleNodes.all(topology),
              List.of(new int[] {0, 1, 2}),
              1,
              StripeLimits.perRack(1),
              random);
      kept[layout.dataNodes()[0]]++;
    }
    assertTrue(
        Arrays.stream(kept).allMatch(count -> Math.abs(count - 1000) < 160), // 6 sigma
        Arrays.toString(kept));
  }

  @Test
  void refusesWithNumbers() {
    PlacementException refusal =
        assertThrows(
            PlacementException.class,
            () ->
                StripePlacement.layout(
                    EligibleNodes.of(Topology.of(3, 3), node -> node != 0),
                    List.of(new int[] {0}, new int[] {1}, new int[] {3}),
                    2,
                    StripeLimits.perRack(1),
                    new Random(1)));
    assertEquals(
        "the layout needs places for the 5 blocks of a stripe with at most 1 in a rack, the 8 live"
            + " nodes in 3 racks give 3: add nodes to the small racks or allow more blocks a rack",
        refusal.getMessage());
    assertEquals(5, refusal.needed());
    assertEquals(3, refusal.available());
  }

  /**
   * Stripe after stripe of a file, homes are chosen by what nodes keep of the file so far: the most
   * loaded node keeps little more than its share, and much less than with homes at random.
   */
  /** Stripes are laid out side by side: each sees the others change the loads. */
  @Test
  void loadsMayChangeWhileAStripeIsLaidOut() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(6, 3);
    NodeLoads restless =
        new NodeLoads() {
          @Override
          public long ofData(int block, int node) {
            return random.nextInt(1000);
          }

          @Override
          public long ofParity(int node) {
            return random.nextInt(1000);
          }
        };
    for (int i = 0; i < 200; i++) {
      List<int[]> replicas = new ArrayList<>();
      for (int block = 0; block < 6; block++) {
        replicas.add(
            RandomReplication.place(
                EligibleNodes.all(topology), -1, 3, ReplicaLayout.HDFS, random));
      }
      StripeLimits limits = StripeLimits.perRack(2);
      EncodedStripe layout =
          StripePlacement.layout(
              EligibleNodes.all(topology), replicas, 3, limits, restless, random);
      int[] nodes = layout.nodes();
      assertEquals(9, IntStream.of(nodes).filter(node -> node >= 0).distinct().count());
    }
  }

  @Test
  void evenHomesBoundTheLoadOfReaders() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(10, 4);
    StripeLimits limits = StripeLimits.perRack(1);
    int stripes = 60;
    int[] even = new int[topology.nodes()];
    int[] blind = new int[topology.nodes()];
    int[] all = new int[topology.nodes()];
    NodeLoads loads =
        new NodeLoads() {
          @Override
          public long ofData(int block, int node) {
            return even[node];
          }

          @Override
          public long ofParity(int node) {
            return all[node];
          }
        };
    for (int i = 0; i < stripes; i++) {
      List<int[]> replicas = new ArrayList<>();
      for (int block = 0; block < 6; block++) {
        replicas.add(
            RandomReplication.place(
                EligibleNodes.all(topology), -1, 3, ReplicaLayout.HDFS, random));
      }
      EncodedStripe chosen =
          StripePlacement.layout(EligibleNodes.all(topology), replicas, 3, limits, loads, random);
      EncodedStripe drawn =
          StripePlacement.layout(EligibleNodes.all(topology), replicas, 3, limits, random);
      assertEquals(drawn.relocated().size(), chosen.relocated().size());
      for (int node : chosen.dataNodes()) {
        even[node]++;
        all[node]++;
      }
      for (int node : chosen.parityNodes()) {
        all[node]++;
      }
      for (int node : drawn.dataNodes()) {
        blind[node]++;
      }
    }
    int share = 6 * stripes / topology.nodes();
    int mostEven = Arrays.stream(even).max().orElseThrow();
    int mostBlind = Arrays.stream(blind).max().orElseThrow();
    assertTrue(mostEven <= share + 4, mostEven + " blocks on a node, even are " + share);
    assertTrue(
        Arrays.stream(even).map(n -> n * n).sum() < Arrays.stream(blind).map(n -> n * n).sum(),
        mostEven + " evenly, at random " + mostBlind);
    int mostStored = Arrays.stream(all).max().orElseThrow();
    assertTrue(mostStored <= 9 * stripes / topology.nodes() + 6, mostStored + " stored on a node");
  }
}
