package org.braid.plan.throttle;

import java.util.HashMap;
import java.util.Map;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.SharedLink.Way;

/** The number of values that a plan moves over each shared link. */
public final class LinkLoads {
  private LinkLoads() {}

  /** The loads of a plan whose nodes are those of a topology. */
  public static Map<SharedLink, Integer> of(Plan plan, Topology topology) {
    Map<SharedLink, Integer> loads = new HashMap<>();
    for (Step step : plan.steps()) {
      if (step instanceof Step.Send send) {
        add(loads, topology, send.from(), send.node());
      } else if (step instanceof Step.Read || step instanceof Step.Store) {
        count(loads, SharedLink.disk(topology.nodeName(step.node())));
      }
    }
    return loads;
  }

  private static void add(Map<SharedLink, Integer> loads, Topology topology, int from, int to) {
    count(loads, SharedLink.CLUSTER);
    count(loads, new SharedLink(Kind.NODE, topology.nodeName(from), Way.OUT));
    count(loads, new SharedLink(Kind.NODE, topology.nodeName(to), Way.IN));
    if (topology.rackOf(from) != topology.rackOf(to)) {
      count(loads, new SharedLink(Kind.UPLINK, rack(topology, from), Way.OUT));
      count(loads, new SharedLink(Kind.UPLINK, rack(topology, to), Way.IN));
    }
    if (topology.siteOf(from) != topology.siteOf(to)) {
      count(loads, new SharedLink(Kind.SITE, site(topology, from), Way.OUT));
      count(loads, new SharedLink(Kind.SITE, site(topology, to), Way.IN));
    }
  }

  private static String rack(Topology topology, int node) {
    return topology.rackName(topology.rackOf(node));
  }

  private static String site(Topology topology, int node) {
    return topology.siteName(topology.siteOf(node));
  }

  private static void count(Map<SharedLink, Integer> loads, SharedLink link) {
    loads.merge(link, 1, Integer::sum);
  }
}
