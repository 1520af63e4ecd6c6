package org.braid.plan.manage;

import java.util.HashMap;
import java.util.Map;

/**
 * What the nodes of a cluster have to do for repairs: those that run and those that are scheduled.
 * Not thread-safe.
 */
public final class Work {
  private final Servers servers;
  private final Map<Integer, Integer> reconstructions = new HashMap<>();
  private final Map<Integer, Integer> destinations = new HashMap<>();

  /** No work yet. */
  public Work(Servers servers) {
    this.servers = servers;
  }

  /** The nodes. */
  public Servers servers() {
    return servers;
  }

  /** Repairs in which a node takes part. */
  public int reconstructions(int node) {
    return reconstructions.getOrDefault(node, 0) + servers.repairs(node);
  }

  /** Repairs of which a node is a destination. */
  public int destinations(int node) {
    return destinations.getOrDefault(node, 0);
  }

  /** Adds a repair. */
  public void add(Assignment assignment) {
    assignment.nodes().forEach(node -> reconstructions.merge(node, 1, Integer::sum));
    assignment.destinations().values().forEach(node -> destinations.merge(node, 1, Integer::sum));
  }
}
