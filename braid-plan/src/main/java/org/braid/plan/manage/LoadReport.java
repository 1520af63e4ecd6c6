package org.braid.plan.manage;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.placement.Topology;
import org.braid.plan.Network;

/**
 * What a schedule puts on a cluster in all, in blocks.
 *
 * @param source stripes that the busiest node is read for
 * @param destination blocks that the busiest node gets
 * @param node on the busiest link of a node, in one direction
 * @param uplink on the busiest uplink of a rack, in one direction
 * @param crossRack that cross racks
 * @param total that move between nodes
 * @param seconds the time of the busiest link if all else ran beside it
 */
public record LoadReport(
    int source,
    int destination,
    double node,
    double uplink,
    double crossRack,
    double total,
    double seconds) {
  /** Adds up assignments. */
  public static LoadReport of(List<Assignment> assignments, Topology topology, Network network) {
    LinkLoad load = LinkLoad.sum(topology, network, assignments);
    Map<Integer, Integer> read = new HashMap<>();
    Map<Integer, Integer> written = new HashMap<>();
    for (Assignment assignment : assignments) {
      assignment.helpers().stream()
          .map(block -> assignment.stripe().nodeOf()[block])
          .filter(node -> node >= 0)
          .forEach(node -> read.merge(node, 1, Integer::sum));
      assignment.destinations().values().stream()
          .filter(node -> node < topology.nodes())
          .forEach(node -> written.merge(node, 1, Integer::sum));
    }
    return new LoadReport(
        most(read),
        most(written),
        load.busiestNode(),
        load.busiestUplink(),
        load.crossRack(),
        load.total(),
        load.busiestSeconds());
  }

  private static int most(Map<Integer, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
  }
}
