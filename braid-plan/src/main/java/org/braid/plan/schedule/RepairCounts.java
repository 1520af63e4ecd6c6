package org.braid.plan.schedule;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts, for each node, the running and scheduled repairs that it takes part in. Not thread-safe.
 */
public final class RepairCounts {
  private final ClusterSnapshot cluster;
  private final Map<Integer, Integer> reconstructions = new HashMap<>();
  private final Map<Integer, Integer> destinations = new HashMap<>();

  /** Counts without repairs. */
  public RepairCounts(ClusterSnapshot cluster) {
    this.cluster = cluster;
  }

  /** The cluster. */
  public ClusterSnapshot cluster() {
    return cluster;
  }

  /** Repairs that a node takes part in. */
  public int reconstructions(int node) {
    return reconstructions.getOrDefault(node, 0) + cluster.repairs(node);
  }

  /** Repairs that store a block at a node. */
  public int destinations(int node) {
    return destinations.getOrDefault(node, 0);
  }

  /** Counts a repair. */
  public void add(ScheduledRepair repair) {
    repair.nodes().forEach(node -> reconstructions.merge(node, 1, Integer::sum));
    repair.destinations().values().forEach(node -> destinations.merge(node, 1, Integer::sum));
  }
}
