package org.braid.cli.plan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;

/**
 * The nodes of a stripe on racks of equal size. Blocks go to the racks in turn, one block a node,
 * so that the stripe keeps the smallest possible limit c of blocks a rack. Codes with columns
 * (R-STAIR) have a rack for each column.
 *
 * <p>The new home of a lost block is a free node of its rack. A rack without a free node rebuilds
 * the block on its own node, whose disk was replaced.
 */
final class RackLayout {
  private final Topology topology;
  private final int[] nodeOf;

  private RackLayout(Topology topology, int[] nodeOf) {
    this.topology = topology;
    this.nodeOf = nodeOf;
  }

  /**
   * Places a stripe.
   *
   * @throws PlacementException when there are too few racks or nodes
   */
  static RackLayout of(ErasureCode code, Topology topology) {
    Optional<List<Integer>> columns = code.racks();
    int racks = columns.map(c -> c.stream().mapToInt(r -> r + 1).max().orElse(1)).orElse(1);
    if (racks > topology.racks()) {
      throw new PlacementException(
          "racks",
          racks,
          topology.racks(),
          "%s needs %d racks, one for each column of its stripe, %s has %d: add racks"
              .formatted(code.name(), racks, topology, topology.racks()));
    }
    int nodesPerRack = topology.nodesIn(0).size();
    int[] used = new int[topology.racks()];
    int[] nodeOf = new int[code.n()];
    for (int block = 0; block < code.n(); block++) {
      int turn = block % topology.racks();
      int at = block;
      int rack = columns.map(c -> c.get(at)).orElse(turn);
      nodeOf[block] = rack * nodesPerRack + used[rack]++;
    }
    int most = Arrays.stream(used).max().orElse(0);
    if (most > nodesPerRack) {
      throw new PlacementException(
          "nodes in a rack",
          most,
          nodesPerRack,
          ("%s needs a node for each of its %d blocks, which is %d in a rack, %s has %d: add nodes"
                  + " or racks")
              .formatted(code.name(), code.n(), most, topology, nodesPerRack));
    }
    return new RackLayout(topology, nodeOf);
  }

  /** The node of a block. */
  int node(int block) {
    return nodeOf[block];
  }

  /** The nodes of a range of blocks. */
  int[] nodes(int from, int to) {
    return Arrays.copyOfRange(nodeOf, from, to);
  }

  /** The new home of each lost block; homes are distinct. */
  Map<Integer, Integer> roots(List<Integer> lost) {
    Map<Integer, Integer> roots = new HashMap<>();
    for (int block : lost) {
      int home =
          topology.nodesIn(topology.rackOf(nodeOf[block])).stream()
              .filter(node -> IntStream.of(nodeOf).noneMatch(n -> n == node))
              .filter(node -> !roots.containsValue(node))
              .findFirst()
              .orElse(nodeOf[block]);
      roots.put(block, home);
    }
    return roots;
  }
}
