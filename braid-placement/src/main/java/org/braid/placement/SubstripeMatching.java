package org.braid.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A choice of one replica a data block for a code with local groups (EAR section 3.5): the
 * substripes one after the other, each by the maximum flow of its merged graph. An edge of that has
 * the smaller of its capacities in the local graph and in the global graph, from which the flow of
 * the substripes before is subtracted.
 */
final class SubstripeMatching {
  private final int[] nodeOf;
  private final int size;

  private SubstripeMatching(int[] nodeOf, int size) {
    this.nodeOf = nodeOf;
    this.size = size;
  }

  /**
   * Matches data blocks to nodes.
   *
   * @param replicas for each of the first blocks of the stripe the nodes that hold a replica
   * @param groupOrder the order of the substripes
   */
  static SubstripeMatching of(
      Topology topology, List<int[]> replicas, SubstripeLimits limits, int[] groupOrder) {
    int[] nodeOf = new int[replicas.size()];
    Arrays.fill(nodeOf, Candidates.NONE);
    int[] global = new int[topology.racks()];
    Arrays.setAll(global, rack -> limits.allows(rack) ? limits.perRack() : 0);
    boolean[] used = new boolean[topology.nodes()];
    int size = 0;
    for (int group : groupOrder) {
      int[] blocks =
          IntStream.range(0, replicas.size())
              .filter(block -> limits.substripes().groupOf(block) == group)
              .toArray();
      List<int[]> present = new ArrayList<>();
      for (int block : blocks) {
        present.add(Arrays.stream(replicas.get(block)).filter(node -> !used[node]).toArray());
      }
      Matching matching =
          Matching.of(topology, present, rack -> Math.min(global[rack], limits.localPerRack()));
      size += matching.size();
      for (int i = 0; i < blocks.length; i++) {
        int node = matching.nodeOf(i);
        if (node != Candidates.NONE) {
          nodeOf[blocks[i]] = node;
          used[node] = true;
          global[topology.rackOf(node)]--;
        }
      }
    }
    return new SubstripeMatching(nodeOf, size);
  }

  int nodeOf(int block) {
    return nodeOf[block];
  }

  int size() {
    return size;
  }
}
