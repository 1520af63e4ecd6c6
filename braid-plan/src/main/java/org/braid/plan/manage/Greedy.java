package org.braid.plan.manage;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.braid.code.Equation;
import org.braid.placement.RepairTargets;
import org.braid.plan.Plan;

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
    Servers servers = work.servers();
    RepairTargets targets = RepairTargets.of(servers.topology(), servers::eligible);
    Helpers helpers = new Helpers(shaping);
    var schedule = new Schedule.Builder();
    for (LostStripe stripe : stripes) {
      Spots spots = new Spots(stripe, servers, targets);
      Optional<String> refusal = place(stripe, spots, work, random);
      if (refusal.isPresent()) {
        boolean decodable =
            stripe.lost().isEmpty() || helpers.choose(stripe, block -> 0).isPresent();
        schedule.refuse(stripe, decodable ? refusal.get() : undecodable(stripe));
        continue;
      }
      Optional<Plan> rebuild = Optional.empty();
      if (!stripe.lost().isEmpty()) {
        Optional<List<Equation>> equations =
            helpers.choose(stripe, block -> rating.source(stripe, block, spots.taken(), work));
        if (equations.isEmpty()) {
          schedule.refuse(stripe, undecodable(stripe));
          continue;
        }
        rebuild =
            Optional.of(
                helpers.plan(stripe, equations.get(), b -> spots.taken().getOrDefault(b, -1)));
      }
      Assignment assignment = new Assignment(stripe, rebuild, spots.taken());
      work.add(assignment);
      schedule.add(assignment);
    }
    return schedule.build();
  }

  /** A degraded read's destination is the client (PPR section 5, algorithm 1, line 22). */
  private Optional<String> place(
      LostStripe stripe, Spots spots, Work work, RandomGenerator random) {
    if (stripe.notes().reader().isPresent()) {
      stripe.lost().forEach(b -> spots.taken().put(b, stripe.notes().reader().getAsInt()));
      return Optional.empty();
    }
    for (int block : stripe.homeless()) {
      int node = spots.cheapest(block, n -> -rating.destination(stripe, n, work), random);
      if (node < 0) {
        return Optional.of(spots.refusal(block));
      }
      spots.take(block, node);
    }
    return Optional.empty();
  }

  static String undecodable(LostStripe stripe) {
    return "%d of the %d blocks of %s can be read, which do not determine the lost ones %s"
        .formatted(stripe.alive().size(), stripe.code().n(), stripe.code().name(), stripe.lost());
  }
}
