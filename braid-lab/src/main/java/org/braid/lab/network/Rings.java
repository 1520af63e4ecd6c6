package org.braid.lab.network;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.placement.Topology;

/**
 * Sets of flows that, together, fill links: from each DataNode to the next one in its rack, to one
 * in the next rack and, where there are several, to one at the next site.
 */
public final class Rings {
  private Rings() {}

  /** The rings of a topology by what they cross; those that have at least two hosts. */
  public static Map<String, List<Hop>> of(LabTopology lab) {
    Topology topology = lab.topology();
    Map<String, List<Hop>> rings = new LinkedHashMap<>();
    List<Hop> inside = new ArrayList<>();
    for (int rack = 0; rack < topology.racks(); rack++) {
      List<Integer> nodes = topology.nodesIn(rack);
      for (int i = 0; nodes.size() > 1 && i < nodes.size(); i++) {
        inside.add(hop(topology, nodes.get(i), nodes.get((i + 1) % nodes.size())));
      }
    }
    put(rings, "in racks", inside);
    List<Hop> across = new ArrayList<>();
    for (int rack = 0; topology.racks() > 1 && rack < topology.racks(); rack++) {
      match(across, topology, rack, (rack + 1) % topology.racks());
    }
    put(rings, "across racks", across);
    if (topology.sites() > 1) {
      List<Hop> sites = new ArrayList<>();
      for (int rack = 0; rack < topology.racks(); rack++) {
        match(sites, topology, rack, rackAtNextSite(topology, rack));
      }
      put(rings, "across sites", sites);
    }
    return rings;
  }

  private static void put(Map<String, List<Hop>> rings, String name, List<Hop> hops) {
    if (!hops.isEmpty()) {
      rings.put(name, List.copyOf(hops));
    }
  }

  private static void match(List<Hop> hops, Topology topology, int from, int to) {
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

  private static Hop hop(Topology topology, int from, int to) {
    return new Hop(topology.nodeName(from), topology.nodeName(to));
  }

  /**
   * The rate that all flows of a ring together can have at most, in bytes a second; infinite where
   * one of them meets no limit.
   */
  public static double capacity(LabTopology lab, Limits limits, List<Hop> ring) {
    double sum = 0;
    for (double rate : new FairShares(lab, limits).of(ring)) {
      sum += rate;
    }
    return sum;
  }
}
