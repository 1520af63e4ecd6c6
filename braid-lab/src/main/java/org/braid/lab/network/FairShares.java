package org.braid.lab.network;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.placement.Topology;

/** Max-min fair rates of concurrent flows on a network with limited links. */
final class FairShares {
  private final LabTopology lab;
  private final LinkLimits limits;

  FairShares(LabTopology lab, LinkLimits limits) {
    this.lab = lab;
    this.limits = limits;
  }

  /**
   * The rate of each flow in bytes a second, in order; infinite where no link of its path has a
   * limit.
   */
  double[] of(List<HostPair> flows) {
    Map<String, Double> left = new HashMap<>();
    List<List<String>> ways = new ArrayList<>();
    for (HostPair flow : flows) {
      ways.add(way(flow, left));
    }
    double[] rates = new double[flows.size()];
    boolean[] done = new boolean[flows.size()];
    while (true) {
      String tightest = null;
      double least = Double.POSITIVE_INFINITY;
      for (Map.Entry<String, Double> link : left.entrySet()) {
        int users = users(link.getKey(), ways, done);
        if (users > 0 && link.getValue() / users < least) {
          least = link.getValue() / users;
          tightest = link.getKey();
        }
      }
      if (tightest == null) {
        break;
      }
      for (int i = 0; i < rates.length; i++) {
        if (!done[i] && ways.get(i).contains(tightest)) {
          done[i] = true;
          rates[i] = least;
          for (String link : ways.get(i)) {
            left.put(link, left.getOrDefault(link, 0.0) - least);
          }
        }
      }
    }
    for (int i = 0; i < rates.length; i++) {
      rates[i] = done[i] ? rates[i] : Double.POSITIVE_INFINITY;
    }
    return rates;
  }

  private static int users(String link, List<List<String>> ways, boolean[] done) {
    int users = 0;
    for (int i = 0; i < done.length; i++) {
      if (!done[i] && ways.get(i).contains(link)) {
        users++;
      }
    }
    return users;
  }

  /** The limited links on the path of a flow, by direction; adds their rates to the map. */
  private List<String> way(HostPair flow, Map<String, Double> rates) {
    Topology topology = lab.topology();
    Host from = lab.host(flow.from());
    Host to = lab.host(flow.to());
    List<String> way = new ArrayList<>();
    add(way, rates, "from " + from.name(), limits.ofHost(from));
    add(way, rates, "to " + to.name(), limits.ofHost(to));
    if (!from.rack().equals(to.rack())) {
      from.rack().ifPresent(rack -> add(way, rates, "up " + rack, limits.ofRack(lab, rack)));
      to.rack().ifPresent(rack -> add(way, rates, "down " + rack, limits.ofRack(lab, rack)));
      if (topology.sites() > 1) {
        int fromSite = from.rack().isPresent() ? topology.siteOfRack(from.rack().getAsInt()) : -1;
        int toSite = to.rack().isPresent() ? topology.siteOfRack(to.rack().getAsInt()) : -1;
        if (fromSite != toSite) {
          if (fromSite >= 0) {
            add(way, rates, "out " + fromSite, limits.ofSite(lab, fromSite));
          }
          if (toSite >= 0) {
            add(way, rates, "in " + toSite, limits.ofSite(lab, toSite));
          }
        }
      }
    }
    return way;
  }

  private static void add(List<String> way, Map<String, Double> rates, String link, double rate) {
    if (!Double.isInfinite(rate)) {
      way.add(link);
      rates.put(link, rate);
    }
  }
}
