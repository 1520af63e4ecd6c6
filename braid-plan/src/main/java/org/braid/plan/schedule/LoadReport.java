package org.braid.plan.schedule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;

/**
 * The load of a schedule on a cluster, in blocks.
 *
 * @param source stripes that the busiest node helps
 * @param destination blocks that the busiest node stores
 * @param node blocks on the busiest link of a node, in one direction
 * @param uplink blocks on the busiest uplink of a rack, in one direction
 * @param crossRack blocks that cross racks
 * @param total blocks that move between nodes
 * @param seconds seconds of work of the busiest link
 */
public record LoadReport(
    int source,
    int destination,
    double node,
    double uplink,
    double crossRack,
    double total,
    double seconds) {
  /** The load of some repairs. */
  public static LoadReport of(List<ScheduledRepair> repairs, Topology topology, Network network) {
    LinkLoad load = LinkLoad.sum(topology, network, repairs);
    Map<Integer, Integer> read = new HashMap<>();
    Map<Integer, Integer> written = new HashMap<>();
    for (ScheduledRepair repair : repairs) {
      repair.helpers().stream()
          .map(block -> repair.stripe().nodeOf()[block])
          .filter(node -> node >= 0)
          .forEach(node -> read.merge(node, 1, Integer::sum));
      repair.destinations().values().stream()
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
