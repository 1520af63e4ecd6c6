package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.PlacementException;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;

/**
 * The nodes that may take the homeless blocks of one stripe: none that holds a block of it, none
 * that would break its rule; nodes that failed before only when there is no other.
 */
final class Spots {
  private static final double EPSILON = 1e-9;

  private final LostStripe stripe;
  private final Servers servers;
  private final Topology topology;

  /** The node of each block, as it will be. */
  private final int[] places;

  private final int[] inRack;

  /** Blocks of the stripe in each upgrade domain. */
  private final Map<Integer, Integer> inDomain = new HashMap<>();

  private final Map<Integer, Integer> taken = new TreeMap<>();

  Spots(LostStripe stripe, Servers servers) {
    this.stripe = stripe;
    this.servers = servers;
    topology = servers.topology();
    places = stripe.placeOf().clone();
    stripe.homeless().forEach(block -> places[block] = StripeRule.NOWHERE);
    inRack = new int[topology.racks()];
    for (int node : places) {
      if (node >= 0) {
        count(node);
      }
    }
  }

  /**
   * Homeless blocks in the order in which they are to choose: those with copies first, while there
   * is room apart from these.
   */
  static List<Integer> inOrder(LostStripe stripe) {
    if (!(stripe.code() instanceof ParityCopies code)) {
      return stripe.homeless();
    }
    List<Integer> order = new ArrayList<>(stripe.homeless());
    order.sort(Comparator.comparing(block -> code.copiesOf(block).size() == 1));
    return order;
  }

  private void count(int node) {
    inRack[topology.rackOf(node)]++;
    if (servers.upgradeDomain(node) >= 0) {
      inDomain.merge(servers.upgradeDomain(node), 1, Integer::sum);
    }
  }

  /** By node, whether it may take a block. Of the nodes of a rack the rule says the same. */
  private boolean[] allowed(int block) {
    boolean[] allowed = new boolean[topology.nodes()];
    for (int node = 0; node < allowed.length; node++) {
      allowed[node] = mayTake(node);
    }
    for (int node : places) {
      if (node >= 0) {
        allowed[node] = false;
      }
    }
    for (int rack = 0; rack < topology.racks(); rack++) {
      List<Integer> nodes = topology.nodesIn(rack);
      int first = -1;
      for (int node : nodes) {
        first = first < 0 && allowed[node] ? node : first;
      }
      if (first >= 0 && !stripe.rule().fits(topology, places, block, first)) {
        nodes.forEach(node -> allowed[node] = false);
      }
    }
    return allowed;
  }

  private boolean mayTake(int node) {
    return servers.eligible(node) && !stripe.notes().forbidden().contains(node);
  }

  private int crowding(int block, int node) {
    return stripe.rule().crowding(topology, places, block, node);
  }

  private int inRack(int node) {
    return inRack[topology.rackOf(node)];
  }

  private int inDomain(int node) {
    return inDomain.getOrDefault(servers.upgradeDomain(node), 0);
  }

  /**
   * The node farthest from copies of the block; of these the one that shares its failure domain,
   * then its upgrade domain, with fewest blocks of the stripe, then the cheapest; ties are random.
   *
   * @return -1 when there is none
   */
  int cheapest(int block, IntToDoubleFunction cost, RandomGenerator random) {
    int best = -1;
    int ties = 0;
    double[] least = {0, 0, 0, 0, 0};
    double[] own = new double[least.length];
    boolean[] allowed = allowed(block);
    for (int node = 0; node < allowed.length; node++) {
      if (!allowed[node]) {
        continue;
      }
      own[0] = stripe.notes().avoided().contains(node) ? 1 : 0;
      own[1] = crowding(block, node);
      own[2] = inRack(node);
      own[3] = inDomain(node);
      own[4] = cost.applyAsDouble(node);
      int order = best < 0 ? -1 : compare(own, least);
      if (order < 0) {
        best = node;
        ties = 1;
        System.arraycopy(own, 0, least, 0, own.length);
      } else if (order == 0 && random.nextInt(++ties) == 0) {
        best = node;
      }
    }
    return best;
  }

  private static int compare(double[] a, double[] b) {
    for (int i = 0; i < a.length; i++) {
      if (Math.abs(a[i] - b[i]) > EPSILON) {
        return a[i] < b[i] ? -1 : 1;
      }
    }
    return 0;
  }

  /**
   * The cheapest nodes of those farthest from copies of the block that share their upgrade domain
   * with fewest blocks, whatever is in their rack as long as the limits allow it.
   */
  List<Integer> cheap(int block, IntToDoubleFunction cost, int count) {
    record Spot(int node, int avoided, int crowding, int inDomain, double cost) {}
    Comparator<Spot> better =
        Comparator.comparingInt(Spot::avoided)
            .thenComparingInt(Spot::crowding)
            .thenComparingInt(Spot::inDomain);
    List<Spot> spots = new ArrayList<>();
    boolean[] allowed = allowed(block);
    for (int node = 0; node < allowed.length; node++) {
      if (allowed[node]) {
        int avoided = stripe.notes().avoided().contains(node) ? 1 : 0;
        spots.add(
            new Spot(
                node, avoided, crowding(block, node), inDomain(node), cost.applyAsDouble(node)));
      }
    }
    Optional<Spot> best = spots.stream().min(better);
    return spots.stream()
        .filter(spot -> better.compare(spot, best.orElse(spot)) == 0)
        .sorted(Comparator.comparingDouble(Spot::cost).thenComparingInt(Spot::node))
        .limit(count)
        .map(Spot::node)
        .toList();
  }

  /** Gives a block its place. */
  void take(int block, int node) {
    places[block] = node;
    count(node);
    taken.put(block, node);
  }

  /** By block, the places given so far. */
  Map<Integer, Integer> taken() {
    return taken;
  }

  /**
   * Places that the rule finds for all homeless blocks at once: block by block a lost column of a
   * grid may have taken the rack that another one needs.
   *
   * @throws PlacementException when there are none
   */
  static Map<Integer, Integer> byRule(LostStripe stripe, Servers servers, RandomGenerator random) {
    Spots spots = new Spots(stripe, servers);
    List<Integer> homeless = stripe.homeless();
    int[] nodes =
        stripe
            .rule()
            .destinations(servers.topology(), spots::mayTake, stripe.placeOf(), homeless, random);
    for (int i = 0; i < nodes.length; i++) {
      spots.take(homeless.get(i), nodes[i]);
    }
    return spots.taken();
  }
}
