package org.braid.placement.lrc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowMatching;

/**
 * The replicas that the data blocks of a code with local groups keep (EAR section 3.5). Each
 * substripe is matched after the other, by a maximum flow of its merged graph. An edge of the
 * merged graph has the smaller of two capacities: that of the local graph, and what earlier
 * substripes left of the global graph.
 */
final class SubstripeFlowMatching {
  private final int[] nodeOf;
  private final int size;

  private SubstripeFlowMatching(int[] nodeOf, int size) {
    this.nodeOf = nodeOf;
    this.size = size;
  }

  /**
   * Matches data blocks to nodes.
   *
   * @param replicas for each of the first blocks of the stripe the nodes that hold a replica
   * @param groupOrder the order of the substripes
   */
  static SubstripeFlowMatching of(
      Topology topology, List<int[]> replicas, SubstripeLimits limits, int[] groupOrder) {
    int[] nodeOf = new int[replicas.size()];
    Arrays.fill(nodeOf, EligibleNodes.NONE);
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
      FlowMatching matching =
          FlowMatching.of(topology, present, rack -> Math.min(global[rack], limits.localPerRack()));
      size += matching.size();
      for (int i = 0; i < blocks.length; i++) {
        int node = matching.nodeOf(i);
        if (node != EligibleNodes.NONE) {
          nodeOf[blocks[i]] = node;
          used[node] = true;
          global[topology.rackOf(node)]--;
        }
      }
    }
    return new SubstripeFlowMatching(nodeOf, size);
  }

  int nodeOf(int block) {
    return nodeOf[block];
  }

  int size() {
    return size;
  }
}
