package org.braid.plan.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.braid.code.ErasureCode;
import org.braid.code.derive.NotRepairableException;
import org.braid.code.derive.Repair;
import org.braid.code.derive.RepairAim;
import org.braid.code.derive.RepairSearch;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowNetwork;
import org.braid.plan.cost.Network;

/**
 * A lower bound for the load of all schedules of some repairs, whatever their helpers, destinations
 * and shapes.
 *
 * <p>A stripe needs as many helpers as its cheapest repair, and each of them sends something. So
 * the least maximum of a flow from helpers to nodes bounds the busiest source. The busiest link
 * carries at least the average of all that helpers send. Each rack that must send, because the
 * destination's rack has too few helpers, uses its uplink.
 *
 * @param source stripes that the busiest node helps
 * @param destination blocks that the busiest node stores
 * @param node blocks on the busiest link of a node, in one direction
 * @param uplink blocks on the busiest uplink of a rack, in one direction
 * @param crossRack blocks that cross racks
 * @param seconds seconds of work of the busiest link
 */
public record LoadBound(
    int source, int destination, double node, double uplink, double crossRack, double seconds) {
  private static final RepairSearch.Effort EFFORT = new RepairSearch.Effort(50_000_000L, 1);

  /** The bound of some repairs. */
  public static LoadBound of(List<LostStripe> stripes, ClusterSnapshot cluster, Network network) {
    Topology topology = cluster.topology();
    Map<List<Object>, Integer> least = new HashMap<>();
    int[] needed = new int[stripes.size()];
    double sent = 0;
    double crossing = 0;
    int homeless = 0;

    Set<Integer> nodes = new HashSet<>();
    for (int node = 0; node < topology.nodes(); node++) {
      if (cluster.eligible(node)) {
        nodes.add(node);
      }
    }
    int targets = Math.max(1, nodes.size());
    for (int i = 0; i < needed.length; i++) {
      LostStripe stripe = stripes.get(i);
      needed[i] =
          least.computeIfAbsent(
              List.of(stripe.code().name(), stripe.lost(), stripe.alive(), zeros(stripe)),
              unused -> leastHelpers(stripe));
      for (int block : stripe.alive()) {
        if (stripe.nodeOf()[block] >= 0) {
          nodes.add(stripe.nodeOf()[block]);
        }
      }
      double part = 1.0 / stripe.code().alpha();
      sent += needed[i] * part + stripe.moved().size();
      crossing += racks(stripe, needed[i], topology) * part;
      homeless += stripe.notes().reader().isPresent() ? 0 : stripe.homeless().size();
    }
    int source = least(stripes, needed, topology);
    double node = Math.max(sent / Math.max(1, nodes.size()), smallestPart(stripes, source));
    double uplink = crossing / topology.racks();
    double widest = 0;
    for (int rack = 0; rack < topology.racks(); rack++) {
      widest = Math.max(widest, network.uplink(rack));
    }
    double bytes = (double) stripes.stream().mapToLong(LostStripe::length).min().orElse(0);
    return new LoadBound(
        source,
        (homeless + targets - 1) / targets,
        node,
        uplink,
        crossing,
        Math.max(node * bytes / network.rates().link(), uplink * bytes / widest));
  }

  private static double smallestPart(List<LostStripe> stripes, int source) {
    int alpha = stripes.stream().mapToInt(s -> s.code().alpha()).max().orElse(1);
    return source / (double) alpha;
  }

  private static long zeros(LostStripe stripe) {
    return stripe.alive().stream().filter(block -> stripe.nodeOf()[block] < 0).count();
  }

  /** The least number of blocks that any repair reads; 0 where none is proven. */
  private static int leastHelpers(LostStripe stripe) {
    ErasureCode code = stripe.code();
    if (stripe.lost().isEmpty()) {
      return 0;
    }
    int zeros = (int) zeros(stripe);
    try {
      Repair repair =
          RepairSearch.find(code, stripe.lost(), stripe.alive(), RepairAim.BLOCKS, EFFORT);
      return repair.exact() ? Math.max(0, repair.reads().size() - zeros) : 0;
    } catch (NotRepairableException e) {
      return 0;
    }
  }

  /** The least number of racks that must send, with destinations in the racks with most helpers. */
  private static int racks(LostStripe stripe, int needed, Topology topology) {
    List<Integer> most = new ArrayList<>(stripe.helpersInRack(topology).values());
    most.sort((a, b) -> b - a);
    int left = needed;
    int racks = 0;
    for (int i = 0; i < most.size() && left > 0; i++) {
      left -= most.get(i);
      racks++;
    }
    int home = stripe.notes().reader().isPresent() ? 0 : Math.max(1, stripe.lost().size());
    return Math.max(0, racks - home);
  }

  /**
   * The least possible number of stripes that the busiest node helps, by a search over maximum
   * flows.
   */
  private static int least(List<LostStripe> stripes, int[] needed, Topology topology) {
    int all = 0;
    for (int count : needed) {
      all += count;
    }
    int low = all == 0 ? 0 : 1;
    int high = stripes.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (fits(stripes, needed, topology, middle, all)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static boolean fits(
      List<LostStripe> stripes, int[] needed, Topology topology, int most, int all) {
    int count = stripes.size();
    int source = count + topology.nodes();
    FlowNetwork flow = new FlowNetwork(source + 2);
    for (int i = 0; i < count; i++) {
      flow.addEdge(source, i, needed[i]);
      LostStripe stripe = stripes.get(i);
      for (int block : stripe.alive()) {
        if (stripe.nodeOf()[block] >= 0) {
          flow.addEdge(i, count + stripe.nodeOf()[block], 1);
        }
      }
    }
    for (int node = 0; node < topology.nodes(); node++) {
      flow.addEdge(count + node, source + 1, most);
    }
    return flow.maxFlow(source, source + 1) == all;
  }
}
