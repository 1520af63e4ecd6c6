package org.braid.lab.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.placement.Topology;

/**
 * Rings of flows that fill links: from each DataNode to the next one in its rack, to a DataNode in
 * the next rack and, with several sites, to one at the next site.
 */
public final class RingFlows {
  private RingFlows() {}

  /** The rings of a topology by the links they cross; without rings of one host. */
  public static Map<String, List<HostPair>> of(LabTopology lab) {
    Topology topology = lab.topology();
    Map<String, List<HostPair>> rings = new LinkedHashMap<>();
    List<HostPair> inside = new ArrayList<>();
    for (int rack = 0; rack < topology.racks(); rack++) {
      List<Integer> nodes = topology.nodesIn(rack);
      for (int i = 0; nodes.size() > 1 && i < nodes.size(); i++) {
        inside.add(hop(topology, nodes.get(i), nodes.get((i + 1) % nodes.size())));
      }
    }
    put(rings, "in racks", inside);
    List<HostPair> across = new ArrayList<>();
    for (int rack = 0; topology.racks() > 1 && rack < topology.racks(); rack++) {
      match(across, topology, rack, (rack + 1) % topology.racks());
    }
    put(rings, "across racks", across);
    if (topology.sites() > 1) {
      List<HostPair> sites = new ArrayList<>();
      for (int rack = 0; rack < topology.racks(); rack++) {
        match(sites, topology, rack, rackAtNextSite(topology, rack));
      }
      put(rings, "across sites", sites);
    }
    return rings;
  }

  private static void put(Map<String, List<HostPair>> rings, String name, List<HostPair> hops) {
    if (!hops.isEmpty()) {
      rings.put(name, List.copyOf(hops));
    }
  }

  private static void match(List<HostPair> hops, Topology topology, int from, int to) {
    List<Integer> senders = topology.nodesIn(from);
    List<Integer> receivers = topology.nodesIn(to);
    for (int i = 0; i < senders.size(); i++) {
      hops.add(hop(topology, senders.get(i), receivers.get(i % receivers.size())));
    }
  }

  private static int rackAtNextSite(Topology topology, int rack) {
    int site = (topology.siteOfRack(rack) + 1) % topology.sites();
    for (int step = 1; step < topology.racks(); step++) {
      int other = (rack + step) % topology.racks();
      if (topology.siteOfRack(other) == site) {
        return other;
      }
    }
    return rack;
  }

  private static HostPair hop(Topology topology, int from, int to) {
    return new HostPair(topology.nodeName(from), topology.nodeName(to));
  }

  /**
   * The largest total rate of a ring in bytes a second; infinite where one of its flows has no
   * limit.
   */
  public static double capacity(LabTopology lab, LinkLimits limits, List<HostPair> ring) {
    double sum = 0;
    for (double rate : new FairShares(lab, limits).of(ring)) {
      sum += rate;
    }
    return sum;
  }
}
