package org.braid.plan.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.RepairPlanner;

/** Chooses helpers and destinations for the repairs of many stripes. Stateless. */
public interface RepairScheduler {
  /** The name in {@link RepairSchedulers}. */
  String name();

  /**
   * Schedules the repairs of some stripes.
   *
   * @param stripes the stripes, by priority
   * @param counts the repairs that nodes take part in; the scheduled ones are added
   * @param planning the shape of plans, and the network
   * @param random for ties, and for schedulers that choose at random
   * @return each stripe once, as scheduled or as refused
   */
  Schedule schedule(
      List<LostStripe> stripes, RepairCounts counts, PlanSettings planning, RandomGenerator random);

  /**
   * How repairs are planned.
   *
   * @param planner shapes the plans
   * @param network rates and slices; the bytes of a value come from each stripe
   */
  record PlanSettings(RepairPlanner planner, Network network) {
    /** The network with the volume of a stripe's blocks. */
    public Network of(LostStripe stripe) {
      return network.with(
          Network.Volume.ofBlock(stripe.length(), stripe.code().alpha(), network.volume().slice()));
    }
  }

  /** A stripe that cannot be scheduled now, and why. */
  record Refusal(LostStripe stripe, String reason) {}

  /**
   * The result of scheduling.
   *
   * @param assigned in the order of the stripes
   * @param refused stripes that cannot be scheduled now
   */
  record Schedule(List<ScheduledRepair> assigned, List<Refusal> refused) {
    public Schedule {
      assigned = List.copyOf(assigned);
      refused = List.copyOf(refused);
    }

    /** Collects a schedule stripe by stripe. */
    static final class Builder {
      private final List<ScheduledRepair> assigned = new ArrayList<>();
      private final List<Refusal> refused = new ArrayList<>();

      void add(ScheduledRepair repair) {
        assigned.add(repair);
      }

      void refuse(LostStripe stripe, String reason) {
        refused.add(new Refusal(stripe, reason));
      }

      Schedule build() {
        return new Schedule(assigned, refused);
      }
    }
  }
}
