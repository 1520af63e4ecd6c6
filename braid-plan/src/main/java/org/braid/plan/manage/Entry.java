package org.braid.plan.manage;

import java.util.Comparator;
import java.util.Optional;
import org.braid.plan.manage.Demand.Urgency;

/** A stripe in the manager's queue. */
final class Entry {
  /** First the most urgent, then those with the fewest spare blocks, then those that came first. */
  static final Comparator<Entry> BY_PRIORITY =
      Comparator.comparing((Entry entry) -> entry.demand.urgency())
          .thenComparingInt(entry -> entry.spare)
          .thenComparingLong(entry -> entry.turn);

  LostStripe stripe;
  Demand demand;
  int spare;
  long turn;
  int attempts;
  Optional<Assignment> assignment = Optional.empty();

  /** How often a later one was started before it. */
  int passedOver;

  /** Since when there is no way to schedule it, and why. */
  Optional<Refused> refused = Optional.empty();

  record Refused(long since, long retryAt, String reason) {}

  Entry(LostStripe stripe, Demand demand, int spare, long turn) {
    this.stripe = stripe;
    this.demand = demand;
    this.spare = spare;
    this.turn = turn;
  }

  /** When it is to be repaired, in milliseconds of the caller's clock. */
  long dueAt(RepairManager.Settings settings) {
    boolean now = demand.urgency() != Urgency.LOSS || spare <= settings.urgentSpare();
    return now ? Long.MIN_VALUE : demand.lostAt() + settings.delayMillis();
  }

  /** What is known of the stripe anew; how it failed before is remembered. */
  void update(LostStripe fresh, Demand wanted) {
    LostStripe.Notes before = stripe.notes();
    stripe = fresh.with(fresh.notes().plus(before.doubtful(), before.avoided()));
    boolean more = wanted.urgency().compareTo(demand.urgency()) < 0;
    demand =
        new Demand(
            more ? wanted.urgency() : demand.urgency(), Math.min(demand.lostAt(), wanted.lostAt()));
    assignment = Optional.empty();
    refused = Optional.empty();
  }
}
