package org.braid.placement.replication;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;

/** Chooses the node that encodes a stripe, and the replicas that it reads. */
public final class EncoderChoice {
  private EncoderChoice() {}

  /**
   * A random node, the baseline of EAR (section 2.1).
   *
   * @throws PlacementException when no node is eligible
   */
  public static int random(EligibleNodes eligible, RandomGenerator random) {
    requireAny(eligible);
    return eligible.pick(node -> true, random);
  }

  /**
   * The node that downloads the fewest blocks: in the rack that holds replicas of the most blocks,
   * the node that holds the most; ties at random. For a stripe of encoding-aware replication it is
   * in the core rack (EAR section 3.1).
   *
   * @param replicas for each data block the nodes that hold a replica
   * @throws PlacementException when no node is eligible
   */
  public static int coreRack(EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
    requireAny(eligible);
    Topology topology = eligible.topology();
    int rack = fullestRack(topology, eligible::anyIn, replicas, random);
    int[] held = new int[topology.nodes()];
    for (int[] nodes : replicas) {
      Arrays.stream(nodes).distinct().forEach(node -> held[node]++);
    }
    int most = Arrays.stream(eligible.in(rack)).map(node -> held[node]).max().orElseThrow();
    return RandomChoice.pick(eligible.in(rack), node -> held[node] == most, random);
  }

  /**
   * Of the racks that pass a test, the one that holds replicas of the most blocks; ties at random.
   */
  static int fullestRack(
      Topology topology, IntPredicate passes, List<int[]> replicas, RandomGenerator random) {
    int[] held = new int[topology.racks()];
    for (int[] nodes : replicas) {
      Arrays.stream(nodes).map(topology::rackOf).distinct().forEach(rack -> held[rack]++);
    }
    int[] racks = IntStream.range(0, topology.racks()).filter(passes).toArray();
    int most = Arrays.stream(racks).map(rack -> held[rack]).max().orElseThrow();
    return RandomChoice.pick(racks, rack -> held[rack] == most, random);
  }

  /** Number of blocks without a replica in the encoder's rack. */
  public static int crossRackDownloads(Topology topology, int encoder, List<int[]> replicas) {
    int downloads = 0;
    for (int block = 0; block < replicas.size(); block++) {
      if (replicas.get(block).length == 0) {
        throw new IllegalArgumentException("data block " + block + " has no replica to download");
      }
      if (Arrays.stream(replicas.get(block))
          .noneMatch(node -> topology.rackOf(node) == topology.rackOf(encoder))) {
        downloads++;
      }
    }
    return downloads;
  }

  /**
   * The replica nearest to a reader: on the reader itself, else in its rack, else any; ties at
   * random.
   */
  public static int source(Topology topology, int reader, int[] replicas, RandomGenerator random) {
    if (replicas.length == 0) {
      throw new IllegalArgumentException("a block without replicas has no source");
    }
    int node = RandomChoice.pick(replicas, n -> n == reader, random);
    if (node == EligibleNodes.NONE) {
      node =
          RandomChoice.pick(replicas, n -> topology.rackOf(n) == topology.rackOf(reader), random);
    }
    return node == EligibleNodes.NONE ? RandomChoice.pick(replicas, n -> true, random) : node;
  }

  private static void requireAny(EligibleNodes eligible) {
    if (!eligible.atLeast(1)) {
      throw new PlacementException(
          "nodes",
          1,
          0,
          "no node is eligible to encode the stripe, 0 of %d: start or add nodes"
              .formatted(eligible.topology().nodes()));
    }
  }
}
