package org.braid.plan.schedule;

import java.util.Map;
import java.util.Optional;
import org.braid.code.Solver;
import org.braid.code.derive.RepairSearch;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.helper.HelperPreference;
import org.braid.plan.helper.KnownRepairs;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;

/** Chooses the helpers of lost stripes; stripes that lost the same blocks are searched once. */
final class StripeHelpers {
  /** For one search. */
  private static final RepairSearch.Effort EFFORT = new RepairSearch.Effort(20_000_000L, 1);

  private final PlanSettings planning;
  private final KnownRepairs known = new KnownRepairs();

  StripeHelpers(PlanSettings planning) {
    this.planning = planning;
  }

  /** Whether the blocks alive determine the lost ones. */
  static boolean decodes(LostStripe stripe) {
    return Solver.solve(stripe.code(), stripe.lost(), stripe.alive()).isPresent();
  }

  /** Why a stripe whose blocks alive do not determine the lost ones is refused. */
  static String undecodable(LostStripe stripe) {
    return "%d of the %d blocks of %s can be read, which do not determine the lost ones %s"
        .formatted(stripe.alive().size(), stripe.code().n(), stripe.code().name(), stripe.lost());
  }

  /**
   * The helpers of a stripe that has lost blocks.
   *
   * @param destinations by lost block, the node it goes to
   * @return empty when the blocks alive do not determine the lost ones
   */
  Optional<HelperChoice.Chosen> choose(
      LostStripe stripe, Map<Integer, Integer> destinations, HelperPreference preference) {
    int[] nodeOf = stripe.nodeOf();
    HelperChoice choice =
        new HelperChoice(
                stripe.code(),
                stripe.lost(),
                stripe.alive(),
                block -> nodeOf[block],
                block -> destinations.getOrDefault(block, -1),
                planning.of(stripe))
            .preferring(preference.avoiding(stripe.notes().doubtful()), known);
    if (stripe.code().alpha() > 1 && choice.decodes()) {
      choice.search(EFFORT);
    }
    return choice.choose(planning.planner());
  }
}
