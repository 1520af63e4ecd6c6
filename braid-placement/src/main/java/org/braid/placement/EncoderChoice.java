package org.braid.placement;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Which node encodes a stripe, and from which replica a node reads. */
public final class EncoderChoice {
  private EncoderChoice() {}

  /**
   * A random node, the baseline of EAR (section 2.1).
   *
   * @throws PlacementException when no node is eligible
   */
  public static int random(Topology topology, IntPredicate eligible, RandomGenerator random) {
    Candidates candidates = new Candidates(topology, eligible);
    requireAny(candidates);
    return candidates.pick(node -> true, random);
  }

  /**
   * The node that downloads fewest blocks: of the rack that holds a replica of most blocks the node
   * that holds most itself, ties at random. For a stripe of encoding-aware replication it is in the
   * core rack (EAR section 3.1).
   *
   * @param replicas for each data block the nodes that hold a replica
   * @throws PlacementException when no node is eligible
   */
  public static int coreRack(
      Topology topology, IntPredicate eligible, List<int[]> replicas, RandomGenerator random) {
    Candidates candidates = new Candidates(topology, eligible);
    requireAny(candidates);
    int rack = fullestRack(topology, candidates::anyIn, replicas, random);
    int[] held = new int[topology.nodes()];
    for (int[] nodes : replicas) {
      Arrays.stream(nodes).distinct().forEach(node -> held[node]++);
    }
    int most = Arrays.stream(candidates.in(rack)).map(node -> held[node]).max().orElseThrow();
    return Candidates.pick(candidates.in(rack), node -> held[node] == most, random);
  }

  /** Of the racks that pass, the one that holds a replica of most blocks; ties at random. */
  static int fullestRack(
      Topology topology, IntPredicate passes, List<int[]> replicas, RandomGenerator random) {
    int[] held = new int[topology.racks()];
    for (int[] nodes : replicas) {
      Arrays.stream(nodes).map(topology::rackOf).distinct().forEach(rack -> held[rack]++);
    }
    int[] racks = IntStream.range(0, topology.racks()).filter(passes).toArray();
    int most = Arrays.stream(racks).map(rack -> held[rack]).max().orElseThrow();
    return Candidates.pick(racks, rack -> held[rack] == most, random);
  }

  /** Blocks of which the encoder's rack holds no replica. */
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

  /** The replica nearest to a reader: its own, else one of its rack, else any; ties at random. */
  public static int source(Topology topology, int reader, int[] replicas, RandomGenerator random) {
    if (replicas.length == 0) {
      throw new IllegalArgumentException("a block without replicas has no source");
    }
    int node = Candidates.pick(replicas, n -> n == reader, random);
    if (node == Candidates.NONE) {
      node = Candidates.pick(replicas, n -> topology.rackOf(n) == topology.rackOf(reader), random);
    }
    return node == Candidates.NONE ? Candidates.pick(replicas, n -> true, random) : node;
  }

  private static void requireAny(Candidates candidates) {
    if (!candidates.atLeast(1)) {
      throw new PlacementException(
          "nodes",
          1,
          0,
          "no node is eligible to encode the stripe, 0 of %d: start or add nodes"
              .formatted(candidates.topology().nodes()));
    }
  }
}
