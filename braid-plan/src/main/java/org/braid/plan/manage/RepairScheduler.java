package org.braid.plan.manage;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.plan.Network;
import org.braid.plan.RepairPlanner;

/** Chooses helpers and destinations for the repairs of many stripes. Stateless. */
public interface RepairScheduler {
  /** Its name in {@link RepairSchedulers}. */
  String name();

  /** What it does, in a line. */
  String description();

  /**
   * Schedules the repairs of some stripes.
   *
   * @param stripes in the order of their priority
   * @param cluster what the nodes do now; what is scheduled is added to their work
   * @param shaping how helpers pass data on, and over which network
   * @param random for ties, and for schedulers that choose at random
   * @return each stripe once, as assigned or as refused
   */
  Schedule schedule(
      List<LostStripe> stripes, Work cluster, Shaping shaping, RandomGenerator random);

  /**
   * How repairs are run.
   *
   * @param planner the shape
   * @param network rates and slices; the bytes of a value are those of each stripe
   */
  record Shaping(RepairPlanner planner, Network network) {
    /** The network with the volume of a stripe's blocks. */
    Network of(LostStripe stripe) {
      return network.with(
          Network.Volume.ofBlock(stripe.length(), stripe.code().alpha(), network.volume().slice()));
    }
  }

  /** A stripe that cannot be scheduled as things stand, and why. */
  record Refusal(LostStripe stripe, String reason) {}

  /**
   * What was scheduled.
   *
   * @param assigned in the order of the stripes
   * @param refused those left out
   */
  record Schedule(List<Assignment> assigned, List<Refusal> refused) {
    public Schedule {
      assigned = List.copyOf(assigned);
      refused = List.copyOf(refused);
    }

    /** Collects a schedule stripe by stripe. */
    static final class Builder {
      private final List<Assignment> assigned = new ArrayList<>();
      private final List<Refusal> refused = new ArrayList<>();

      void add(Assignment assignment) {
        assigned.add(assignment);
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
