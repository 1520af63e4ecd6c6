package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class RandomReplicationTest extends PlacementContract {
  @Override
  int[] place(EligibleNodes eligible, int writer, int replicas, RandomGenerator random) {
    return RandomReplication.place(eligible, writer, replicas, ReplicaLayout.HDFS, random);
  }

  @Test
  void ineligibleWriterGetsANeighbour() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(5, 3);
    for (int round = 0; round < 200; round++) {
      int[] nodes = place(EligibleNodes.of(topology, node -> node != 4), 4, 3, random);
      assertEquals(1, topology.rackOf(nodes[0]));
    }
  }

  @Test
  void rackOfOneNodeGivesTheThirdReplicaToTheFirstRack() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.builder().add("a", "r0").add("b", "r0").add("c", "r1").build();
    for (int round = 0; round < 50; round++) {
      int[] nodes = place(EligibleNodes.all(topology), 0, 3, random);
      assertEquals(List.of(0, 2, 1), Arrays.stream(nodes).boxed().toList());
    }
  }

  @Test
  void maximumPerRackIsLiftedWhenNothingElseIsLeft() {
    Topology topology =
        Topology.builder()
            .add("a", "r0")
            .add("b", "r0")
            .add("c", "r0")
            .add("d", "r0")
            .add("e", "r0")
            .add("f", "r0")
            .add("g", "r0")
            .add("h", "r1")
            .build();
    assertEquals(5, ReplicaDraw.maximumPerRack(8, 2));
    int[] nodes = place(EligibleNodes.all(topology), 0, 8, Seeds.random(getClass()));
    assertEquals(8, Arrays.stream(nodes).distinct().count());
  }

  @Test
  void maximumPerRackIsThatOfHdfs() {
    assertEquals(2, ReplicaDraw.maximumPerRack(3, 3)); // 2 + 2/3
    assertEquals(2, ReplicaDraw.maximumPerRack(3, 2)); // 3 would allow one rack for all
    assertEquals(1, ReplicaDraw.maximumPerRack(2, 9));
    assertEquals(3, ReplicaDraw.maximumPerRack(6, 5));
    assertEquals(4, ReplicaDraw.maximumPerRack(4, 1));
    assertEquals(1, ReplicaDraw.maximumPerRack(1, 7));
  }

  /** EAR section 2.2: a random encoder downloads k - 2k/R blocks from other racks. */
  @Test
  void randomEncoderDownloadsAlmostAllBlocks() {
    Random random = Seeds.random(getClass());
    for (int[] kAndRacks : new int[][] {{10, 20}, {10, 5}, {12, 16}}) {
      int k = kAndRacks[0];
      Topology topology = Topology.of(kAndRacks[1], 5);
      int stripes = 4000;
      double sum = 0;
      double squares = 0;
      for (int stripe = 0; stripe < stripes; stripe++) {
        List<int[]> replicas = new ArrayList<>();
        for (int block = 0; block < k; block++) {
          replicas.add(place(EligibleNodes.all(topology), -1, 3, random));
        }
        int encoder = EncoderChoice.random(EligibleNodes.all(topology), random);
        int downloads = EncoderChoice.crossRackDownloads(topology, encoder, replicas);
        sum += downloads;
        squares += downloads * downloads;
      }
      double mean = sum / stripes;
      double error = Math.sqrt((squares / stripes - mean * mean) / stripes);
      double expected = k - 2.0 * k / topology.racks();
      assertTrue(
          Math.abs(mean - expected) < 5 * error,
          "mean %.4f, expected %.4f, standard error %.4f".formatted(mean, expected, error));
    }
  }
}
