package org.braid.sim.failure;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.braid.placement.Topology;

/** What fails as a whole: a node, a rack with its nodes, a site with its racks. */
public enum FailureDomain {
  NODE,
  RACK,
  SITE;

  /** The name in traces and messages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The nodes of the domain with an index, ascending. */
  public List<Integer> nodes(Topology topology, int index) {
    return switch (this) {
      case NODE -> List.of(index);
      case RACK -> topology.nodesIn(index);
      case SITE ->
          IntStream.range(0, topology.nodes())
              .filter(node -> topology.siteOf(node) == index)
              .boxed()
              .toList();
    };
  }

  /** Number of nodes of the domain with an index. */
  public int size(Topology topology, int index) {
    return switch (this) {
      case NODE -> 1;
      case RACK -> topology.nodesIn(index).size();
      case SITE ->
          IntStream.range(0, topology.racks())
              .filter(rack -> topology.siteOfRack(rack) == index)
              .map(rack -> topology.nodesIn(rack).size())
              .sum();
    };
  }
}
