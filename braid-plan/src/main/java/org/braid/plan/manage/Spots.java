package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import org.braid.placement.RepairPlaces;
import org.braid.placement.RepairTargets;

/**
 * The nodes that may take the homeless blocks of one stripe: none that holds a block of it, none
 * that would break its limits; nodes that failed before only when there is no other.
 */
final class Spots {
  private static final double EPSILON = 1e-9;

  private final LostStripe stripe;
  private final Servers servers;
  private final RepairPlaces places;

  /** Blocks of the stripe in each upgrade domain. */
  private final Map<Integer, Integer> inDomain = new HashMap<>();

  private final Map<Integer, Integer> taken = new TreeMap<>();

  Spots(LostStripe stripe, Servers servers, RepairTargets targets) {
    this.stripe = stripe;
    this.servers = servers;
    places = targets.places(stripe.code(), stripe.placeOf(), stripe.homeless(), stripe.limits());
    Set<Integer> homeless = Set.copyOf(stripe.homeless());
    for (int block = 0; block < stripe.placeOf().length; block++) {
      if (stripe.placeOf()[block] >= 0 && !homeless.contains(block)) {
        countDomain(stripe.placeOf()[block]);
      }
    }
  }

  private void countDomain(int node) {
    if (servers.upgradeDomain(node) >= 0) {
      inDomain.merge(servers.upgradeDomain(node), 1, Integer::sum);
    }
  }

  private boolean allows(int block, int node) {
    return !stripe.notes().forbidden().contains(node) && places.allows(block, node);
  }

  private int inRack(int node) {
    return places.inRack(servers.topology().rackOf(node));
  }

  private int inDomain(int node) {
    return inDomain.getOrDefault(servers.upgradeDomain(node), 0);
  }

  /**
   * The node that shares its failure domain, then its upgrade domain, with fewest blocks of the
   * stripe and of these the cheapest; ties are random.
   *
   * @return -1 when there is none
   */
  int cheapest(int block, IntToDoubleFunction cost, RandomGenerator random) {
    int best = -1;
    int ties = 0;
    double[] least = {0, 0, 0, 0};
    double[] own = new double[least.length];
    for (int node = 0; node < servers.topology().nodes(); node++) {
      if (!allows(block, node)) {
        continue;
      }
      own[0] = stripe.notes().avoided().contains(node) ? 1 : 0;
      own[1] = inRack(node);
      own[2] = inDomain(node);
      own[3] = cost.applyAsDouble(node);
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
   * The cheapest nodes of those that share their upgrade domain with fewest blocks, whatever is in
   * their rack as long as the limits allow it.
   */
  List<Integer> cheap(int block, IntToDoubleFunction cost, int count) {
    record Spot(int node, int avoided, int inDomain, double cost) {}
    List<Spot> spots = new ArrayList<>();
    for (int node = 0; node < servers.topology().nodes(); node++) {
      if (allows(block, node)) {
        int avoided = stripe.notes().avoided().contains(node) ? 1 : 0;
        spots.add(new Spot(node, avoided, inDomain(node), cost.applyAsDouble(node)));
      }
    }
    int avoided = spots.stream().mapToInt(Spot::avoided).min().orElse(0);
    int domain =
        spots.stream().filter(s -> s.avoided() == avoided).mapToInt(Spot::inDomain).min().orElse(0);
    return spots.stream()
        .filter(s -> s.avoided() == avoided && s.inDomain() == domain)
        .sorted(Comparator.comparingDouble(Spot::cost).thenComparingInt(Spot::node))
        .limit(count)
        .map(Spot::node)
        .toList();
  }

  /** Gives a block its place. */
  void take(int block, int node) {
    places.take(block, node);
    countDomain(node);
    taken.put(block, node);
  }

  /** By block, the places given so far. */
  Map<Integer, Integer> taken() {
    return taken;
  }

  /** Why a block finds no place. */
  String refusal(int block) {
    return String.valueOf(
        places.refusal(block, taken.size(), stripe.homeless().size()).getMessage());
  }
}
