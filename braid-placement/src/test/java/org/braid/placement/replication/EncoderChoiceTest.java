package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.SmallClusters;
import org.braid.placement.Topology;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class EncoderChoiceTest {
  private static final Topology TOPOLOGY = Topology.of(4, 3);

  @Test
  void noEncoderDownloadsLess() {
    Random random = Seeds.random(EncoderChoiceTest.class);
    for (int round = 0; round < 500; round++) {
      Topology topology = SmallClusters.topology(random, 5, 4);
      EligibleNodes eligible = SmallClusters.eligible(random, topology, 0.8);
      int[] nodes = eligible.nodes();
      List<int[]> replicas =
          SmallClusters.replicas(random, topology, 6, 3).stream()
              .filter(r -> r.length > 0)
              .toList();
      if (nodes.length == 0) {
        continue;
      }
      int encoder = EncoderChoice.coreRack(eligible, replicas, random);
      int fewest =
          IntStream.of(nodes)
              .map(node -> EncoderChoice.crossRackDownloads(topology, node, replicas))
              .min()
              .orElseThrow();
      assertEquals(fewest, EncoderChoice.crossRackDownloads(topology, encoder, replicas));
      assertEquals(true, eligible.contains(encoder));
    }
  }

  @Test
  void nodeThatHoldsMostEncodes() {
    Random random = Seeds.random(EncoderChoiceTest.class);
    List<int[]> replicas = List.of(new int[] {3, 6}, new int[] {4, 9}, new int[] {4, 0});
    assertEquals(
        Set.of(4),
        seen(() -> EncoderChoice.coreRack(EligibleNodes.all(TOPOLOGY), replicas, random)));
    assertEquals(
        Set.of(3),
        seen(
            () ->
                EncoderChoice.coreRack(EligibleNodes.of(TOPOLOGY, n -> n != 4), replicas, random)));
    assertEquals(
        Set.of(0, 6, 9),
        seen(
            () ->
                EncoderChoice.coreRack(
                    EligibleNodes.of(TOPOLOGY, n -> n < 3 || n > 5), replicas, random)));
    assertEquals(
        IntStream.range(0, 12).boxed().collect(java.util.stream.Collectors.toSet()),
        seen(() -> EncoderChoice.random(EligibleNodes.all(TOPOLOGY), random)));
    assertEquals(
        Set.of(2, 5),
        seen(
            () -> EncoderChoice.random(EligibleNodes.of(TOPOLOGY, n -> n == 2 || n == 5), random)));
  }

  @Test
  void countsBlocksOfOtherRacks() {
    List<int[]> replicas = List.of(new int[] {3, 6}, new int[] {4, 9}, new int[] {0});
    assertEquals(1, EncoderChoice.crossRackDownloads(TOPOLOGY, 5, replicas));
    assertEquals(2, EncoderChoice.crossRackDownloads(TOPOLOGY, 2, replicas));
    assertEquals(
        "data block 1 has no replica to download",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    EncoderChoice.crossRackDownloads(
                        TOPOLOGY, 0, List.of(new int[] {0}, new int[0])))
            .getMessage());
  }

  @Test
  void nearestReplicaIsTheSource() {
    Random random = Seeds.random(EncoderChoiceTest.class);
    int[] replicas = {3, 4, 9};
    assertEquals(Set.of(4), seen(() -> EncoderChoice.source(TOPOLOGY, 4, replicas, random)));
    assertEquals(Set.of(3, 4), seen(() -> EncoderChoice.source(TOPOLOGY, 5, replicas, random)));
    assertEquals(Set.of(9), seen(() -> EncoderChoice.source(TOPOLOGY, 10, replicas, random)));
    assertEquals(Set.of(3, 4, 9), seen(() -> EncoderChoice.source(TOPOLOGY, 0, replicas, random)));
    assertEquals(
        "a block without replicas has no source",
        assertThrows(
                IllegalArgumentException.class,
                () -> EncoderChoice.source(TOPOLOGY, 0, new int[0], random))
            .getMessage());
  }

  @Test
  void refusesWithoutNodes() {
    String message = "no node is eligible to encode the stripe, 0 of 12: start or add nodes";
    Random random = new Random(1);
    assertEquals(
        message,
        assertThrows(
                PlacementException.class,
                () -> EncoderChoice.random(EligibleNodes.of(TOPOLOGY, n -> false), random))
            .getMessage());
    assertEquals(
        message,
        assertThrows(
                PlacementException.class,
                () ->
                    EncoderChoice.coreRack(
                        EligibleNodes.of(TOPOLOGY, n -> false), List.of(), random))
            .getMessage());
  }

  /** All answers of 300 calls: a tie of three misses one with probability below 1e-50. */
  private static Set<Integer> seen(IntSupplier choice) {
    Set<Integer> seen = new TreeSet<>();
    for (int i = 0; i < 300; i++) {
      seen.add(choice.getAsInt());
    }
    return seen;
  }
}
