package org.braid.plan.manage;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.braid.code.Equation;
import org.braid.placement.PlacementException;

/** Schedules stripe by stripe: sources and destinations by weight, each stripe adding work. */
final class Greedy implements RepairScheduler {
  private final String name;
  private final String description;
  private final Rating rating;

  /** How good nodes are for a stripe, given the work there is. */
  interface Rating {
    /** The weight of a block's node as a source; the highest is the best. */
    double source(LostStripe stripe, int block, Map<Integer, Integer> destinations, Work work);

    /** The weight of a node as a destination; the highest is the best. */
    double destination(LostStripe stripe, int node, Work work);
  }

  Greedy(String name, String description, Rating rating) {
    this.name = name;
    this.description = description;
    this.rating = rating;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public Schedule schedule(
      List<LostStripe> stripes, Work work, Shaping shaping, RandomGenerator random) {
    Helpers helpers = new Helpers(shaping);
    var schedule = new Schedule.Builder();
    for (LostStripe stripe : stripes) {
      Map<Integer, Integer> places;
      try {
        places = place(stripe, work, rating, random);
      } catch (PlacementException e) {
        boolean decodable = stripe.lost().isEmpty() || Helpers.decodes(stripe);
        schedule.refuse(stripe, decodable ? String.valueOf(e.getMessage()) : undecodable(stripe));
        continue;
      }
      Optional<List<Equation>> equations =
          stripe.lost().isEmpty()
              ? Optional.of(List.of())
              : helpers.choose(stripe, places, block -> rating.source(stripe, block, places, work));
      if (equations.isEmpty()) {
        schedule.refuse(stripe, undecodable(stripe));
        continue;
      }
      Assignment assignment = helpers.assign(stripe, equations.get(), places);
      work.add(assignment);
      schedule.add(assignment);
    }
    return schedule.build();
  }

  /** A degraded read's destination is the client (PPR section 5, algorithm 1, line 22). */
  static Map<Integer, Integer> place(
      LostStripe stripe, Work work, Rating rating, RandomGenerator random) {
    if (stripe.notes().reader().isPresent()) {
      Map<Integer, Integer> places = new TreeMap<>();
      stripe.lost().forEach(b -> places.put(b, stripe.notes().reader().getAsInt()));
      return places;
    }
    Spots spots = new Spots(stripe, work.servers());
    for (int block : Spots.inOrder(stripe)) {
      int node = spots.cheapest(block, n -> -rating.destination(stripe, n, work), random);
      if (node < 0) {
        return Spots.byRule(stripe, work.servers(), random);
      }
      spots.take(block, node);
    }
    return spots.taken();
  }

  static String undecodable(LostStripe stripe) {
    return "%d of the %d blocks of %s can be read, which do not determine the lost ones %s"
        .formatted(stripe.alive().size(), stripe.code().n(), stripe.code().name(), stripe.lost());
  }
}
