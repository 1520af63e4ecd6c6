package org.braid.plan.schedule;

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
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;

/**
 * Chooses destinations for the lost and misplaced blocks of one stripe. A destination holds no
 * other block of the stripe and keeps the stripe's rule, unless it only stands in for the block's
 * own node. Nodes that failed before are chosen only when there is no other.
 */
final class DestinationChoice {
  private static final double EPSILON = 1e-9;

  private final LostStripe stripe;
  private final ClusterSnapshot cluster;
  private final Topology topology;

  /** By block, its node after the repair; of one at a stand-in that which it goes back to. */
  private final int[] places;

  private final int[] inRack;

  /** Blocks of the stripe in each upgrade domain. */
  private final Map<Integer, Integer> inDomain = new HashMap<>();

  private final Map<Integer, Integer> taken = new TreeMap<>();

  DestinationChoice(LostStripe stripe, ClusterSnapshot cluster) {
    this.stripe = stripe;
    this.cluster = cluster;
    topology = cluster.topology();
    places = stripe.placeOf().clone();
    stripe.homeless().forEach(block -> places[block] = StripeRule.NOWHERE);
    stripe.notes().standIns().forEach((block, own) -> places[block] = own);
    inRack = new int[topology.racks()];
    for (int node : places) {
      if (node >= 0) {
        count(node);
      }
    }
  }

  /**
   * The homeless blocks in the order of their choice: blocks with copies first, while there is room
   * far from their copies, and those at stand-ins last, which can be anywhere.
   */
  static List<Integer> inOrder(LostStripe stripe) {
    List<Integer> order = new ArrayList<>(stripe.homeless());
    if (stripe.code() instanceof ParityCopies code) {
      order.sort(Comparator.comparing(block -> code.copiesOf(block).size() == 1));
    }
    order.sort(Comparator.comparing(block -> stripe.notes().standIns().containsKey(block)));
    return order;
  }

  private void count(int node) {
    inRack[topology.rackOf(node)]++;
    if (cluster.upgradeDomain(node) >= 0) {
      inDomain.merge(cluster.upgradeDomain(node), 1, Integer::sum);
    }
  }

  /**
   * By node, whether it may take a block. The rule is asked once a rack, as all nodes of a rack are
   * alike. A stand-in has no other block of the stripe where that can be; the rule does not count.
   */
  private boolean[] allowed(int block) {
    boolean[] allowed = new boolean[topology.nodes()];
    for (int node = 0; node < allowed.length; node++) {
      allowed[node] = mayTake(node) && !taken.containsValue(node);
    }
    boolean standsIn = stripe.notes().standIns().containsKey(block);
    boolean[] any = allowed.clone();
    for (int node : places) {
      if (node >= 0) {
        allowed[node] = false;
      }
    }
    if (standsIn) {
      return contains(allowed) ? allowed : any;
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

  private static boolean contains(boolean[] nodes) {
    for (boolean node : nodes) {
      if (node) {
        return true;
      }
    }
    return false;
  }

  private boolean mayTake(int node) {
    return cluster.eligible(node) && !stripe.notes().forbidden().contains(node);
  }

  private int crowding(int block, int node) {
    return stripe.rule().crowding(topology, places, block, node);
  }

  private int inRack(int node) {
    return inRack[topology.rackOf(node)];
  }

  private int inDomain(int node) {
    return inDomain.getOrDefault(cluster.upgradeDomain(node), 0);
  }

  /**
   * The best destination of a block: the node farthest from copies of the block; of these the one
   * whose failure domain, then whose upgrade domain, has the fewest blocks of the stripe; of these
   * the cheapest. Ties are broken at random.
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
   * The cheapest destinations of a block, of the nodes farthest from copies of the block whose
   * upgrade domain has the fewest blocks of the stripe. Their racks may have any number of blocks
   * that the rule allows.
   */
  List<Integer> cheap(int block, IntToDoubleFunction cost, int count) {
    record Spot(int node, int avoided, int crowding, int inDomain, double cost) {}
    Comparator<Spot> better =
        Comparator.comparingInt(Spot::avoided)
            .thenComparingInt(Spot::crowding)
            .thenComparingInt(Spot::inDomain);
    List<Spot> choice = new ArrayList<>();
    boolean[] allowed = allowed(block);
    for (int node = 0; node < allowed.length; node++) {
      if (allowed[node]) {
        int avoided = stripe.notes().avoided().contains(node) ? 1 : 0;
        choice.add(
            new Spot(
                node, avoided, crowding(block, node), inDomain(node), cost.applyAsDouble(node)));
      }
    }
    Optional<Spot> best = choice.stream().min(better);
    return choice.stream()
        .filter(spot -> better.compare(spot, best.orElse(spot)) == 0)
        .sorted(Comparator.comparingDouble(Spot::cost).thenComparingInt(Spot::node))
        .limit(count)
        .map(Spot::node)
        .toList();
  }

  /** Assigns a node to a block. */
  void take(int block, int node) {
    taken.put(block, node);
    if (!stripe.notes().standIns().containsKey(block)) {
      places[block] = node;
      count(node);
    }
  }

  /** By block, the nodes assigned so far. */
  Map<Integer, Integer> taken() {
    return taken;
  }

  /**
   * Destinations that the rule finds for all homeless blocks at once. Block by block, one lost
   * column of a grid could take the rack that another one needs.
   *
   * @throws PlacementException when there are none
   */
  static Map<Integer, Integer> byRule(
      LostStripe stripe, ClusterSnapshot cluster, RandomGenerator random) {
    DestinationChoice choice = new DestinationChoice(stripe, cluster);
    List<Integer> homeless = stripe.homeless();
    int[] nodes =
        stripe
            .rule()
            .destinations(
                EligibleNodes.of(cluster.topology(), choice::mayTake),
                stripe.placeOf(),
                homeless,
                random);
    for (int i = 0; i < nodes.length; i++) {
      choice.take(homeless.get(i), nodes[i]);
    }
    return choice.taken();
  }
}
