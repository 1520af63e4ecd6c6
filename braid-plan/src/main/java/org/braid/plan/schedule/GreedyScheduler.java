package org.braid.plan.schedule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.braid.placement.PlacementException;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.helper.HelperPreference;

/**
 * Schedules one stripe after the other: helpers and destinations by weight, which each scheduled
 * repair changes.
 */
final class GreedyScheduler implements RepairScheduler {
  private final String name;
  private final Rating rating;

  /** Rates nodes for a stripe, given the repairs that run or are scheduled. */
  interface Rating {
    /** Which helpers a stripe prefers. */
    HelperPreference helpers(LostStripe stripe, RepairCounts counts);

    /** The weight of a node as a destination; the highest is the best. */
    double destination(LostStripe stripe, int node, RepairCounts counts);
  }

  GreedyScheduler(String name, Rating rating) {
    this.name = name;
    this.rating = rating;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Schedule schedule(
      List<LostStripe> stripes,
      RepairCounts counts,
      PlanSettings planning,
      RandomGenerator random) {
    StripeHelpers helpers = new StripeHelpers(planning);
    var schedule = new Schedule.Builder();
    for (LostStripe stripe : stripes) {
      Map<Integer, Integer> places;
      try {
        places = place(stripe, counts, rating, random);
      } catch (PlacementException e) {
        boolean decodable = stripe.lost().isEmpty() || StripeHelpers.decodes(stripe);
        schedule.refuse(
            stripe, decodable ? String.valueOf(e.getMessage()) : StripeHelpers.undecodable(stripe));
        continue;
      }
      Optional<HelperChoice.Chosen> chosen =
          stripe.lost().isEmpty()
              ? Optional.empty()
              : helpers.choose(stripe, places, rating.helpers(stripe, counts));
      if (chosen.isEmpty() && !stripe.lost().isEmpty()) {
        schedule.refuse(stripe, StripeHelpers.undecodable(stripe));
        continue;
      }
      ScheduledRepair repair = new ScheduledRepair(stripe, chosen, places);
      counts.add(repair);
      schedule.add(repair);
    }
    return schedule.build();
  }

  /** A degraded read's destination is the client (PPR section 5, algorithm 1, line 22). */
  private static Map<Integer, Integer> place(
      LostStripe stripe, RepairCounts counts, Rating rating, RandomGenerator random) {
    if (stripe.notes().reader().isPresent()) {
      Map<Integer, Integer> places = new TreeMap<>();
      stripe.lost().forEach(b -> places.put(b, stripe.notes().reader().getAsInt()));
      return places;
    }
    DestinationChoice choice = new DestinationChoice(stripe, counts.cluster());
    for (int block : DestinationChoice.inOrder(stripe)) {
      int node = choice.cheapest(block, n -> -rating.destination(stripe, n, counts), random);
      if (node < 0) {
        return DestinationChoice.byRule(stripe, counts.cluster(), random);
      }
      choice.take(block, node);
    }
    return choice.taken();
  }
}
