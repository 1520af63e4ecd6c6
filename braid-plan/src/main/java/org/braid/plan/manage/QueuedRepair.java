package org.braid.plan.manage;

import java.util.Comparator;
import java.util.Optional;
import org.braid.plan.manage.RepairPriority.Urgency;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.ScheduledRepair;

/** A stripe that waits in the manager's queue. */
final class QueuedRepair {
  /** The most urgent first, then the stripe with the fewest spare blocks, then the oldest. */
  static final Comparator<QueuedRepair> BY_PRIORITY =
      Comparator.comparing((QueuedRepair entry) -> entry.priority.urgency())
          .thenComparingInt(entry -> entry.spare)
          .thenComparingLong(entry -> entry.turn);

  LostStripe stripe;
  RepairPriority priority;
  int spare;
  long turn;
  int attempts;
  Optional<ScheduledRepair> repair = Optional.empty();

  /** How many repairs that came later were started before it. */
  int passedOver;

  /** Why it cannot be scheduled; empty when it can. */
  Optional<Refused> refused = Optional.empty();

  /** A refusal, and when to try again, in milliseconds. */
  record Refused(long since, long retryAt, String reason) {}

  QueuedRepair(LostStripe stripe, RepairPriority priority, int spare, long turn) {
    this.stripe = stripe;
    this.priority = priority;
    this.spare = spare;
    this.turn = turn;
  }

  /** The earliest time of its repair, in milliseconds of the caller's clock. */
  long dueAt(RepairManager.Settings settings) {
    boolean now = priority.urgency() != Urgency.LOSS || spare <= settings.urgentSpare();
    return now ? Long.MIN_VALUE : priority.lostAt() + settings.delayMillis();
  }

  /** Takes over newer knowledge of the stripe. Helpers and destinations that failed are kept. */
  void update(LostStripe fresh, RepairPriority wanted) {
    LostStripe.Notes before = stripe.notes();
    stripe = fresh.with(fresh.notes().plus(before.doubtful(), before.avoided()));
    boolean more = wanted.urgency().compareTo(priority.urgency()) < 0;
    priority =
        new RepairPriority(
            more ? wanted.urgency() : priority.urgency(),
            Math.min(priority.lostAt(), wanted.lostAt()));
    repair = Optional.empty();
    refused = Optional.empty();
  }
}
