package org.braid.plan.manage;

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
import org.braid.code.Equation;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;

/**
 * Plans all stripes together: repairs are assigned one by one and then, pass by pass, assigned anew
 * against all others, until no repair alone can make it better.
 *
 * <p>Better is what lowers the sum of t^p over all links, each node's and each rack's uplink in
 * both directions, t being the time that the link is busy: for p as high as here, about the time of
 * the busiest. What counts are the transfers of the plans themselves, whatever their shape. Blocks
 * that a node gets count beside, see {@link LinkLoad#withStores}: else a chain, in which the
 * destination has no more to do than a helper, would fill up a few nodes.
 */
final class Together implements RepairScheduler {
  private static final int PASSES = 4;
  private static final int DESTINATIONS = 3;
  private static final double EPSILON = 1e-9;

  @Override
  public String name() {
    return "together";
  }

  @Override
  public String description() {
    return "all stripes together: the load of all nodes and uplinks, in both directions, evened out";
  }

  @Override
  public Schedule schedule(
      List<LostStripe> stripes, Work work, Shaping shaping, RandomGenerator random) {
    return new Run(work, shaping, random).schedule(stripes);
  }

  private record Choice(Assignment assignment, LinkLoad.Share share, double cost) {}

  private static final class Run {
    private final Work work;
    private final Servers servers;
    private final Topology topology;
    private final Shaping shaping;
    private final Helpers helpers;
    private final LinkLoad load;
    private final RandomGenerator random;

    Run(Work work, Shaping shaping, RandomGenerator random) {
      this.random = random;
      this.work = work;
      this.shaping = shaping;
      servers = work.servers();
      topology = servers.topology();
      helpers = new Helpers(shaping);
      load = new LinkLoad(topology, shaping.network());
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
        work.add(choice.assignment());
        schedule.add(choice.assignment());
      }
      return schedule.build();
    }

    /** Users' traffic, and of repairs scheduled before a block at each node that takes part. */
    private void addOtherWork(List<LostStripe> stripes) {
      double block =
          stripes.stream().mapToLong(LostStripe::length).max().orElse(0)
              / shaping.network().rates().link();
      for (int node = 0; node < topology.nodes(); node++) {
        double user = servers.userLoad(node) * (1 << 20) / shaping.network().rates().link();
        double busy = user + work.reconstructions(node) * block;
        load.addSeconds(load.out(node), busy);
        load.addSeconds(load.in(node), busy);
      }
    }

    private boolean improve(List<Choice> chosen, int index) {
      Choice now = chosen.get(index);
      load.remove(now.share());
      double cost = cost(now.share());
      Choice best = best(now.assignment().stripe()).orElse(now);
      boolean better = best.cost() < cost * (1 - EPSILON);
      if (better) {
        chosen.set(index, best);
      }
      load.add(chosen.get(index).share());
      return better;
    }

    /** What a share adds to the sum of t^4. */
    private double cost(LinkLoad.Share share) {
      double cost = 0;
      for (int i = 0; i < share.links().length; i++) {
        double before = load.seconds(share.links()[i]);
        double after = before + share.seconds()[i];
        cost += after * after * after * after - before * before * before * before;
      }
      return cost;
    }

    /** What a block more on a link costs, about. */
    private double price(int link, double blockSeconds) {
      double t = load.seconds(link) + blockSeconds / 2;
      return t * t * t * blockSeconds;
    }

    private Optional<Choice> best(LostStripe stripe) {
      Choice best = null;
      for (Map<Integer, Integer> destinations : destinations(stripe)) {
        Set<Set<Integer>> tried = new HashSet<>();
        for (IntToDoubleFunction order : orders(stripe, destinations)) {
          Optional<Assignment> assignment = assign(stripe, destinations, order, tried);
          if (assignment.isPresent()) {
            LinkLoad.Share share = load.withStores(load.of(assignment.get()), assignment.get());
            double cost = cost(share);
            if (best == null || cost < best.cost() * (1 - EPSILON)) {
              best = new Choice(assignment.get(), share, cost);
            }
          }
        }
      }
      return Optional.ofNullable(best);
    }

    /** Empty also when the same helpers have been tried. */
    private Optional<Assignment> assign(
        LostStripe stripe,
        Map<Integer, Integer> destinations,
        IntToDoubleFunction order,
        Set<Set<Integer>> tried) {
      if (stripe.lost().isEmpty()) {
        return tried.add(Set.of())
            ? Optional.of(helpers.assign(stripe, List.of(), destinations))
            : Optional.empty();
      }
      Optional<List<Equation>> equations = helpers.chooseByWeight(stripe, destinations, order);
      if (equations.isEmpty()) {
        return Optional.empty();
      }
      Set<Integer> blocks = new HashSet<>();
      equations.get().forEach(e -> e.terms().forEach(t -> blocks.add(t.source().block())));
      if (!tried.add(blocks)) {
        return Optional.empty();
      }
      return Optional.of(helpers.assign(stripe, equations.get(), destinations));
    }

    private double linkSeconds(LostStripe stripe) {
      return stripe.length() / shaping.network().rates().link();
    }

    private double uplinkSeconds(LostStripe stripe, int rack) {
      return stripe.length() / shaping.network().uplink(rack);
    }

    /** Places for the homeless blocks: cheap ones, and cheap ones beside many helpers. */
    private List<Map<Integer, Integer>> destinations(LostStripe stripe) {
      if (stripe.notes().reader().isPresent()) {
        Map<Integer, Integer> all = new TreeMap<>();
        stripe.lost().forEach(b -> all.put(b, stripe.notes().reader().getAsInt()));
        return List.of(all);
      }
      List<Integer> order = Spots.inOrder(stripe);
      int first = order.get(0);
      Map<Integer, Integer> sizes = helpersInRack(stripe);
      IntToDoubleFunction cost = node -> destinationCost(stripe, node, sizes);
      List<Map<Integer, Integer>> all = new ArrayList<>();
      for (int node : new Spots(stripe, servers).cheap(first, cost, DESTINATIONS)) {
        Spots spots = new Spots(stripe, servers);
        spots.take(first, node);
        boolean fits = true;
        for (int block : order.subList(1, order.size())) {
          List<Integer> next = spots.cheap(block, cost, 1);
          fits &= !next.isEmpty();
          if (!next.isEmpty()) {
            spots.take(block, next.get(0));
          }
        }
        if (fits) {
          all.add(new TreeMap<>(spots.taken()));
        }
      }
      if (all.isEmpty() && stripe.homeless().size() > 1) {
        try {
          all.add(Spots.byRule(stripe, servers, random));
        } catch (PlacementException e) {
          return List.of(); // the refusal says why
        }
      }
      return all;
    }

    /** A block comes in, and those in other racks come over the rack's uplink. */
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

    private Map<Integer, Integer> helpersInRack(LostStripe stripe) {
      Map<Integer, Integer> sizes = new HashMap<>();
      for (int block : stripe.alive()) {
        if (stripe.nodeOf()[block] >= 0) {
          sizes.merge(topology.rackOf(stripe.nodeOf()[block]), 1, Integer::sum);
        }
      }
      return sizes;
    }

    /** Helpers by what they cost; and the same rack by rack, the destination's before others. */
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
      Map<Integer, Integer> sizes = helpersInRack(stripe);
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
      if (!stripe.lost().isEmpty() && !Helpers.decodes(stripe)) {
        return Greedy.undecodable(stripe);
      }
      try {
        Spots.byRule(stripe, servers, random);
      } catch (PlacementException e) {
        return String.valueOf(e.getMessage());
      }
      return "stripe " + stripe.id() + " finds no places for its blocks together";
    }
  }
}
