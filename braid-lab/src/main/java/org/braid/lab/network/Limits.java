package org.braid.lab.network;

import java.util.Map;
import java.util.TreeMap;
import org.braid.placement.Topology;

/**
 * How fast the links of a lab are, in bytes a second of Ethernet frames, in each direction;
 * infinite where nothing limits them. The NameNode's and the loader's links have no limit unless
 * they are named. Of what a link carries TCP's payload is some 95.6%.
 *
 * @param link of a DataNode and of a client
 * @param oversubscription what the links of a rack's DataNodes add up to, over the rate of the
 *     rack's uplink; at least 1
 * @param site of the link that joins a site to the others
 * @param links rates by name of a host, rack or site, where they are not what the above says
 */
public record Limits(double link, double oversubscription, double site, Map<String, Double> links) {
  /** No limits. */
  public static final Limits NONE =
      new Limits(Double.POSITIVE_INFINITY, 1, Double.POSITIVE_INFINITY, Map.of());

  public Limits {
    positive(link, "link");
    positive(site, "site");
    if (!(oversubscription >= 1) || Double.isInfinite(oversubscription)) {
      throw new IllegalArgumentException(
          "oversubscription " + oversubscription + ", needs a number of at least 1");
    }
    links.forEach((name, rate) -> positive(rate, name));
    links = Map.copyOf(links);
  }

  /** Links of a rate and racks of an oversubscription; sites are joined without limit. */
  public static Limits of(double link, double oversubscription) {
    return new Limits(link, oversubscription, Double.POSITIVE_INFINITY, Map.of());
  }

  private static void positive(double rate, String name) {
    // Below 8 kbit/s even a heartbeat would take seconds.
    if (!(rate >= 1000)) {
      throw new IllegalArgumentException(
          "a rate of %s bytes a second for %s, needs at least 1000".formatted(rate, name));
    }
  }

  /** The same with another rate for a host, a rack's uplink or a site's link. */
  public Limits with(String name, double rate) {
    Map<String, Double> all = new TreeMap<>(links);
    all.put(name, rate);
    return new Limits(link, oversubscription, site, all);
  }

  /** The same with another rate for the links that join sites. */
  public Limits withSite(double rate) {
    return new Limits(link, oversubscription, rate, links);
  }

  /** The rate of a host's link. */
  public double ofHost(Host host) {
    double usual =
        switch (host.role()) {
          case NAME_NODE, LOADER -> Double.POSITIVE_INFINITY;
          case CLIENT, DATA_NODE -> link;
        };
    return links.getOrDefault(host.name(), usual);
  }

  /** The rate of a rack's uplink. */
  public double ofRack(LabTopology lab, int rack) {
    Topology topology = lab.topology();
    Double named = links.get(topology.rackName(rack));
    if (named != null) {
      return named;
    }
    double sum = 0;
    for (int node : topology.nodesIn(rack)) {
      sum += links.getOrDefault(topology.nodeName(node), link);
    }
    return sum / oversubscription;
  }

  /** The rate of the link that joins a site to the others. */
  public double ofSite(LabTopology lab, int index) {
    return links.getOrDefault(lab.topology().siteName(index), site);
  }

  /**
   * Checks that every name is one of a topology.
   *
   * @throws IllegalArgumentException when one is not
   */
  public void check(LabTopology lab) {
    Topology topology = lab.topology();
    for (String name : links.keySet()) {
      boolean known = lab.hosts().stream().anyMatch(host -> host.name().equals(name));
      for (int rack = 0; rack < topology.racks(); rack++) {
        known |= topology.rackName(rack).equals(name);
      }
      for (int s = 0; topology.sites() > 1 && s < topology.sites(); s++) {
        known |= topology.siteName(s).equals(name);
      }
      if (!known) {
        throw new IllegalArgumentException(
            "a rate is given for " + name + ", which is no host, rack or site of the lab");
      }
    }
  }
}
