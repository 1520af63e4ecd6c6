package org.braid.placement.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.balance.BalancedPlacement.Balanced;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripePlacement;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class BalancedPlacementTest {
  private static Balanced place(
      Topology topology,
      int k,
      int parities,
      int perRack,
      int[] stripes,
      int[] load,
      Random random) {
    return BalancedPlacement.place(
        EligibleNodes.all(topology),
        k,
        parities,
        StripeLimits.perRack(perRack),
        stripes,
        load,
        random);
  }

  /** Data blocks of a node, and that every stripe keeps its limits. */
  private static int[] load(Topology topology, int k, int perRack, List<int[]> stripes) {
    int[] load = new int[topology.nodes()];
    for (int[] stripe : stripes) {
      assertEquals(stripe.length, Arrays.stream(stripe).distinct().count());
      int[] inRack = new int[topology.racks()];
      for (int i = 0; i < stripe.length; i++) {
        load[stripe[i]] += i < k ? 1 : 0;
        assertTrue(++inRack[topology.rackOf(stripe[i])] <= perRack);
      }
    }
    return load;
  }

  /** Where racks are equal both bounds are the least that any placement can have. */
  @Test
  void boundsAreKept() {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 60; round++) {
      Topology topology = Topology.of(4 + random.nextInt(6), 2 + random.nextInt(4));
      int perRack = 1 + random.nextInt(2);
      int k = 1 + random.nextInt(Math.min(8, perRack * topology.racks() - 1));
      int parities = Math.min(3, perRack * topology.racks() - k);
      int[] stripes = random.ints(1 + random.nextInt(4), 1, 12).toArray();
      Balanced balanced =
          place(topology, k, parities, perRack, stripes, new int[topology.nodes()], random);
      int[] all = new int[topology.nodes()];
      for (int file = 0; file < stripes.length; file++) {
        assertEquals(stripes[file], balanced.files().get(file).size());
        int[] load = load(topology, k, perRack, balanced.files().get(file));
        int bound = (k * stripes[file] + topology.nodes() - 1) / topology.nodes();
        assertEquals(bound, balanced.fileBounds().get(file));
        assertTrue(Arrays.stream(load).max().orElseThrow() <= bound);
        Arrays.setAll(all, node -> all[node] + load[node]);
      }
      int blocks = k * Arrays.stream(stripes).sum();
      assertEquals((blocks + topology.nodes() - 1) / topology.nodes(), balanced.bound());
      assertEquals(balanced.bound(), Arrays.stream(all).max().orElseThrow());
    }
  }

  /** Unequal racks: no placement of the data blocks has a lower maximum, by trying all. */
  @Test
  void unequalRacksGetTheLeastMaximum() {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 150; round++) {
      Topology.Builder builder = Topology.builder();
      int racks = 2 + random.nextInt(2);
      for (int rack = 0; rack < racks; rack++) {
        for (int node = 0; node <= random.nextInt(3); node++) {
          builder.add("r" + rack + "n" + node, "r" + rack);
        }
      }
      Topology topology = builder.build();
      int[] before = random.ints(topology.nodes(), 0, 3).toArray();
      int stripes = 1 + random.nextInt(3);
      Balanced balanced = place(topology, 2, 0, 1, new int[] {stripes}, before, random);
      int[] load = load(topology, 2, 1, balanced.files().get(0));
      int bound = balanced.fileBounds().get(0);
      assertTrue(Arrays.stream(load).allMatch(l -> l <= bound));
      assertEquals(
          bound,
          search(topology, new int[topology.nodes()], new int[topology.nodes()], stripes, 99)[0]);
      Arrays.setAll(load, node -> load[node] + before[node]);
      int[] least = search(topology, before, new int[topology.nodes()], stripes, bound);
      assertEquals(least[1], Arrays.stream(load).max().orElseThrow());
      assertEquals(balanced.bound(), least[1]);
    }
  }

  /** The least maximum of the file, and of all blocks with the file's maximum at most so much. */
  private static int[] search(Topology topology, int[] before, int[] own, int stripes, int most) {
    if (stripes == 0) {
      int file = Arrays.stream(own).max().orElseThrow();
      int all = IntStream.range(0, own.length).map(n -> own[n] + before[n]).max().orElseThrow();
      return file > most ? new int[] {99, 99} : new int[] {file, all};
    }
    int[] best = {99, 99};
    for (int a = 0; a < own.length; a++) {
      for (int b = a + 1; b < own.length; b++) {
        if (topology.rackOf(a) != topology.rackOf(b)) {
          own[a]++;
          own[b]++;
          int[] found = search(topology, before, own, stripes - 1, most);
          own[a]--;
          own[b]--;
          best[0] = Math.min(best[0], found[0]);
          best[1] = Math.min(best[1], found[1]);
        }
      }
    }
    return best;
  }

  /** The paper's cluster of 40 nodes with 40 files: what random stripes do to the busiest node. */
  @Test
  void randomStripesLoadSomeNodesMore() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(10, 4);
    int[] stripes = IntStream.generate(() -> 13).limit(40).toArray();
    int[] load = new int[topology.nodes()];
    List<int[]> nowhere = IntStream.range(0, 6).mapToObj(i -> new int[0]).toList();
    for (int stripe = 0; stripe < 13 * 40; stripe++) {
      for (int node :
          StripePlacement.layout(
                  EligibleNodes.all(topology), nowhere, 3, StripeLimits.perRack(1), random)
              .dataNodes()) {
        load[node]++;
      }
    }
    Balanced balanced = place(topology, 6, 3, 1, stripes, new int[40], random);
    assertEquals(78, balanced.bound()); // 6 * 13 * 40 blocks on 40 nodes
    assertTrue(balanced.fileBounds().stream().allMatch(bound -> bound == 2));
    assertTrue(Arrays.stream(load).max().orElseThrow() > 82, Arrays.toString(load));
  }

  @Test
  void refusesWithNumbers() {
    Random random = new Random(1);
    assertEquals(
        "the stripe needs 9 nodes for the 9 blocks of a stripe, 6 are live: add nodes or choose a"
            + " code with n <= 6",
        assertThrows(
                PlacementException.class,
                () -> place(Topology.of(3, 2), 6, 3, 3, new int[] {1}, new int[6], random))
            .getMessage());
    assertEquals(
        "loads of 5 nodes in a topology of 6",
        assertThrows(
                IllegalArgumentException.class,
                () -> place(Topology.of(3, 2), 2, 1, 1, new int[] {1}, new int[5], random))
            .getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> place(Topology.of(3, 2), 2, 1, 1, new int[] {0}, new int[6], random));
  }
}
