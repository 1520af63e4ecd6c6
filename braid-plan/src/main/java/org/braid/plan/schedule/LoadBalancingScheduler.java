package org.braid.plan.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.helper.HelperPreference;

/**
 * Balances the load of all links over all stripes together. It first schedules the stripes one by
 * one. Then it schedules each one again, given all others, until no single change lowers the cost.
 *
 * <p>The cost is the sum of t^4 over all links, those of nodes and the uplinks of racks in both
 * directions, where t is the time that a link is busy: about the time of the busiest link. Counted
 * are the transfers of the plans themselves, whatever their shape, and the blocks that nodes store
 * ({@link LinkLoad#withStores}). Without the latter, chains would fill up a few nodes, as a chain
 * loads its destination no more than a helper.
 */
final class LoadBalancingScheduler implements RepairScheduler {
  private static final int PASSES = 4;
  private static final int DESTINATIONS = 3;
  private static final double EPSILON = 1e-9;

  @Override
  public String name() {
    return "together";
  }

  @Override
  public Schedule schedule(
      List<LostStripe> stripes,
      RepairCounts counts,
      PlanSettings planning,
      RandomGenerator random) {
    return new Run(counts, planning, random).schedule(stripes);
  }

  private record Choice(ScheduledRepair repair, LinkLoad.Share share, double cost) {}

  private static final class Run {
    private final RepairCounts counts;
    private final ClusterSnapshot cluster;
    private final Topology topology;
    private final PlanSettings planning;
    private final StripeHelpers helpers;
    private final LinkLoad load;
    private final RandomGenerator random;

    Run(RepairCounts counts, PlanSettings planning, RandomGenerator random) {
      this.random = random;
      this.counts = counts;
      this.planning = planning;
      cluster = counts.cluster();
      topology = cluster.topology();
      helpers = new StripeHelpers(planning);
      load = new LinkLoad(topology, planning.network());
    }

    Schedule schedule(List<LostStripe> stripes) {
      var schedule = new Schedule.Builder();
      addOtherWork(stripes);
      List<Choice> chosen = new ArrayList<>();
      for (LostStripe stripe : stripes) {
        Optional<Choice> best = best(stripe);
        if (best.isPresent()) {
          load.add(best.get().share());
          chosen.add(best.get());
        } else {
          schedule.refuse(stripe, refusal(stripe));
        }
      }
      boolean better = chosen.size() > 1;
      for (int pass = 1; pass < PASSES && better; pass++) {
        better = false;
        for (int i = 0; i < chosen.size(); i++) {
          better |= improve(chosen, i);
        }
      }
      for (Choice choice : chosen) {
        counts.add(choice.repair());
        schedule.add(choice.repair());
      }
      return schedule.build();
    }

    /** Adds the traffic of users, and one block for each earlier repair of a node. */
    private void addOtherWork(List<LostStripe> stripes) {
      double block =
          stripes.stream().mapToLong(LostStripe::length).max().orElse(0)
              / planning.network().rates().link();
      for (int node = 0; node < topology.nodes(); node++) {
        double user = cluster.userLoad(node) * (1 << 20) / planning.network().rates().link();
        double busy = user + counts.reconstructions(node) * block;
        load.addSeconds(load.out(node), busy);
        load.addSeconds(load.in(node), busy);
      }
    }

    private boolean improve(List<Choice> chosen, int index) {
      Choice now = chosen.get(index);
      load.remove(now.share());
      double cost = cost(now.share());
      Choice best = best(now.repair().stripe()).orElse(now);
      boolean better = best.cost() < cost * (1 - EPSILON);
      if (better) {
        chosen.set(index, best);
      }
      load.add(chosen.get(index).share());
      return better;
    }

    /** The cost that a repair adds. */
    private double cost(LinkLoad.Share share) {
      double cost = 0;
      for (int i = 0; i < share.links().length; i++) {
        double before = load.seconds(share.links()[i]);
        double after = before + share.seconds()[i];
        cost += after * after * after * after - before * before * before * before;
      }
      return cost;
    }

    /** About the cost of one more block on a link. */
    private double price(int link, double blockSeconds) {
      double t = load.seconds(link) + blockSeconds / 2;
      return t * t * t * blockSeconds;
    }

    private Optional<Choice> best(LostStripe stripe) {
      Choice best = null;
      for (Map<Integer, Integer> destinations : destinations(stripe)) {
        Set<Set<Integer>> tried = new HashSet<>();
        for (IntToDoubleFunction order : orders(stripe, destinations)) {
          Optional<ScheduledRepair> repair = assign(stripe, destinations, order, tried);
          if (repair.isPresent()) {
            LinkLoad.Share share = load.withStores(load.of(repair.get()), repair.get());
            double cost = cost(share);
            if (best == null || cost < best.cost() * (1 - EPSILON)) {
              best = new Choice(repair.get(), share, cost);
            }
          }
        }
      }
      return Optional.ofNullable(best);
    }

    /** Empty when nothing decodes, or the same helpers were tried before. */
    private Optional<ScheduledRepair> assign(
        LostStripe stripe,
        Map<Integer, Integer> destinations,
        IntToDoubleFunction order,
        Set<Set<Integer>> tried) {
      if (stripe.lost().isEmpty()) {
        return tried.add(Set.of())
            ? Optional.of(new ScheduledRepair(stripe, Optional.empty(), destinations))
            : Optional.empty();
      }
      Optional<HelperChoice.Chosen> chosen =
          helpers.choose(stripe, destinations, HelperPreference.byWeight(order));
      if (chosen.isEmpty()) {
        return Optional.empty();
      }
      Set<Integer> blocks = new HashSet<>();
      chosen.get().equations().forEach(e -> e.terms().forEach(t -> blocks.add(t.source().block())));
      return tried.add(blocks)
          ? Optional.of(new ScheduledRepair(stripe, chosen, destinations))
          : Optional.empty();
    }

    private double linkSeconds(LostStripe stripe) {
      return stripe.length() / planning.network().rates().link();
    }

    private double uplinkSeconds(LostStripe stripe, int rack) {
      return stripe.length() / planning.network().uplink(rack);
    }

    /**
     * Cheap destinations of the homeless blocks; those with many helpers in their rack are cheaper.
     */
    private List<Map<Integer, Integer>> destinations(LostStripe stripe) {
      if (stripe.notes().reader().isPresent()) {
        Map<Integer, Integer> all = new TreeMap<>();
        stripe.lost().forEach(b -> all.put(b, stripe.notes().reader().getAsInt()));
        return List.of(all);
      }
      List<Integer> order = DestinationChoice.inOrder(stripe);
      int first = order.get(0);
      Map<Integer, Integer> sizes = stripe.helpersInRack(topology);
      IntToDoubleFunction cost = node -> destinationCost(stripe, node, sizes);
      List<Map<Integer, Integer>> all = new ArrayList<>();
      for (int node : new DestinationChoice(stripe, cluster).cheap(first, cost, DESTINATIONS)) {
        DestinationChoice choice = new DestinationChoice(stripe, cluster);
        choice.take(first, node);
        boolean fits = true;
        for (int block : order.subList(1, order.size())) {
          List<Integer> next = choice.cheap(block, cost, 1);
          fits &= !next.isEmpty();
          if (!next.isEmpty()) {
            choice.take(block, next.get(0));
          }
        }
        if (fits) {
          all.add(new TreeMap<>(choice.taken()));
        }
      }
      if (all.isEmpty() && stripe.homeless().size() > 1) {
        try {
          all.add(DestinationChoice.byRule(stripe, cluster, random));
        } catch (PlacementException e) {
          return List.of(); // the refusal says why
        }
      }
      return all;
    }

    /**
     * The cost of a destination: one block comes in, and helpers in other racks use the rack's
     * uplink.
     */
    private double destinationCost(LostStripe stripe, int node, Map<Integer, Integer> sizes) {
      int rack = topology.rackOf(node);
      double in =
          price(load.in(node), linkSeconds(stripe))
              + price(load.store(node), storeSeconds(stripe, rack));
      double near = sizes.getOrDefault(rack, 0) / (double) stripe.code().k();
      double over = price(load.down(rack), uplinkSeconds(stripe, rack)) * Math.max(0, 1 - near);
      return in + over;
    }

    private double storeSeconds(LostStripe stripe, int rack) {
      int k = stripe.code().k();
      return load.storeSeconds(k * linkSeconds(stripe), k * uplinkSeconds(stripe, rack));
    }

    /** Two orders of helpers: by cost; and rack by rack, the destination's rack first. */
    private List<IntToDoubleFunction> orders(
        LostStripe stripe, Map<Integer, Integer> destinations) {
      Set<Integer> home = new HashSet<>();
      destinations.values().stream()
          .filter(node -> node < topology.nodes())
          .forEach(node -> home.add(topology.rackOf(node)));
      Map<Integer, Double> costs = new HashMap<>();
      Map<Integer, Double> rackCosts = new HashMap<>();
      for (int block : stripe.alive()) {
        int node = stripe.nodeOf()[block];
        if (node >= 0) {
          int rack = topology.rackOf(node);
          double own =
              price(load.out(node), linkSeconds(stripe))
                  + price(load.in(node), linkSeconds(stripe));
          double over = home.contains(rack) ? 0 : price(load.up(rack), uplinkSeconds(stripe, rack));
          costs.put(block, own + over);
          rackCosts.merge(rack, own + over, Double::sum);
        }
      }
      Map<Integer, Integer> sizes = stripe.helpersInRack(topology);
      Comparator<Integer> byRack =
          Comparator.comparing((Integer rack) -> !home.contains(rack))
              .thenComparing(rack -> -sizes.getOrDefault(rack, 0))
              .thenComparing(rack -> rackCosts.getOrDefault(rack, 0.0));
      List<Integer> racks = sizes.keySet().stream().sorted(byRack).toList();
      double most = costs.values().stream().mapToDouble(cost -> cost).max().orElse(0) + 1;
      return List.of(
          block -> -costs.getOrDefault(block, 0.0),
          block ->
              -costs.getOrDefault(block, 0.0)
                  - most * racks.indexOf(topology.rackOf(stripe.nodeOf()[block])));
    }

    private String refusal(LostStripe stripe) {
      if (!stripe.lost().isEmpty() && !StripeHelpers.decodes(stripe)) {
        return StripeHelpers.undecodable(stripe);
      }
      try {
        DestinationChoice.byRule(stripe, cluster, random);
      } catch (PlacementException e) {
        return String.valueOf(e.getMessage());
      }
      return "stripe " + stripe.id() + " finds no places for its blocks together";
    }
  }
}
