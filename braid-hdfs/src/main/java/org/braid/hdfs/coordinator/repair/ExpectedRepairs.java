package org.braid.hdfs.coordinator.repair;

import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.RepairPreview.Expected;
import org.braid.hdfs.stripe.Stripe;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanTime;
import org.braid.plan.schedule.ScheduledRepair;
import org.braid.plan.throttle.LinkBytes;
import org.braid.plan.throttle.SharedLink;
import org.braid.plan.throttle.Throttle;

/** Adds up the planned traffic of scheduled repairs, carried out or not. Thread-safe. */
final class ExpectedRepairs {
  private final Network.Rates rates;
  private final long slice;
  private final int parallel;

  /** Bytes of repairs that the throttle holds back; apart from urgent ones, which it does not. */
  private final LinkBytes held = new LinkBytes();

  private final LinkBytes urgent = new LinkBytes();
  private long bytes;
  private double alone;

  /**
   * Starts with no repairs.
   *
   * @param slice bytes of a slice
   * @param parallel repairs at once
   */
  ExpectedRepairs(Network.Rates rates, long slice, int parallel) {
    this.rates = rates;
    this.slice = slice;
    this.parallel = parallel;
  }

  /**
   * Adds a repair.
   *
   * @param known the topology that the schedule numbers nodes by
   */
  synchronized void add(Damaged damaged, ScheduledRepair scheduled, Topology known) {
    Stripe stripe = damaged.status().stripe();
    LinkBytes links = damaged.isUrgent() ? urgent : held;
    Network network = Network.of(known).with(rates);
    List<Plan> plans = scheduled.plans();
    int moves = scheduled.equations().isEmpty() ? 0 : 1;
    if (moves == 1) {
      add(plans.get(0), stripe.layout().unit(), links, network, known);
    }
    for (int block : scheduled.stripe().moved()) {
      if (scheduled.destinations().containsKey(block)) {
        long length = stripe.member(block).block().length();
        int alpha = stripe.code().alpha();
        long value = (length + alpha - 1) / alpha;
        add(plans.get(moves++), value, links, network, known);
      }
    }
    for (Map.Entry<Integer, Integer> placed : scheduled.destinations().entrySet()) {
      long length = stripe.member(placed.getKey()).block().length();
      bytes += length;
      links.add(SharedLink.disk(known.nodeName(placed.getValue())), length); // read back
    }
  }

  private void add(Plan plan, long value, LinkBytes links, Network network, Topology known) {
    links.add(plan, known, value);
    alone += PlanTime.seconds(plan, network.with(new Network.Volume(Math.max(1, value), slice)));
  }

  /** The sum of all repairs. */
  synchronized Expected total(Throttle throttle) {
    long crossRack = held.crossRack() + urgent.crossRack();
    double seconds =
        Math.max(
            alone / parallel,
            Math.max(held.seconds(rates, throttle), urgent.seconds(rates, Throttle.NONE)));
    return new Expected(
        bytes,
        crossRack,
        held.total() + urgent.total() - crossRack,
        held.crossSite() + urgent.crossSite(),
        Double.isInfinite(seconds) ? null : Double.valueOf(seconds));
  }
}
