package org.braid.lab.network;

import java.util.Map;
import java.util.TreeMap;
import org.braid.placement.Topology;

/**
 * The rates of the links of a lab in bytes a second of Ethernet frames, for each direction;
 * infinite without a limit. The links of the NameNode and the loader have no limit unless named.
 * TCP payload is about 95.6% of the frames.
 *
 * @param link rate of the links of DataNodes and clients
 * @param oversubscription total rate of the links of a rack's DataNodes over the rate of its
 *     uplink; at least 1
 * @param site rate of the link from a site to the others
 * @param links other rates of single hosts, racks and sites, by name
 */
public record LinkLimits(
    double link, double oversubscription, double site, Map<String, Double> links) {
  /** No limits. */
  public static final LinkLimits NONE =
      new LinkLimits(Double.POSITIVE_INFINITY, 1, Double.POSITIVE_INFINITY, Map.of());

  public LinkLimits {
    positive(link, "link");
    positive(site, "site");
    if (!(oversubscription >= 1) || Double.isInfinite(oversubscription)) {
      throw new IllegalArgumentException(
          "oversubscription " + oversubscription + ", needs a number of at least 1");
    }
    links.forEach((name, rate) -> positive(rate, name));
    links = Map.copyOf(links);
  }

  /** Links of one rate and racks of one oversubscription; links of sites have no limit. */
  public static LinkLimits of(double link, double oversubscription) {
    return new LinkLimits(link, oversubscription, Double.POSITIVE_INFINITY, Map.of());
  }

  private static void positive(double rate, String name) {
    // Below 8 kbit/s even a heartbeat would take seconds.
    if (!(rate >= 1000)) {
      throw new IllegalArgumentException(
          "a rate of %s bytes a second for %s, needs at least 1000".formatted(rate, name));
    }
  }

  /** A copy with another rate for a host, a rack's uplink or a site's link. */
  public LinkLimits with(String name, double rate) {
    Map<String, Double> all = new TreeMap<>(links);
    all.put(name, rate);
    return new LinkLimits(link, oversubscription, site, all);
  }

  /** A copy with another rate for the links of sites. */
  public LinkLimits withSite(double rate) {
    return new LinkLimits(link, oversubscription, rate, links);
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

  /** The rate of the link from a site to the others. */
  public double ofSite(LabTopology lab, int index) {
    return links.getOrDefault(lab.topology().siteName(index), site);
  }

  /**
   * Checks that a topology has all names.
   *
   * @throws IllegalArgumentException when it lacks one
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
