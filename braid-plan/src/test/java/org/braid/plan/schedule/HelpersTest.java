package org.braid.plan.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Scheduled helpers cross racks and sites no more often than must be. */
final class HelpersTest {
  private static final List<RepairScheduler> GREEDY =
      List.of(RepairSchedulers.ARRIVAL, RepairSchedulers.MPPR);

  private final Random random = Seeds.random(HelpersTest.class);

  /** A stripe with virtual blocks of zeros at the end of its data, whose one block is lost. */
  private LostStripe shortStripe(
      String name, Topology topology, OptionalInt perRack, int data, int lost) {
    ErasureCode code = Codes.named(name);
    StripeRule rule = StripeRules.on(code, perRack, EligibleNodes.all(topology));
    var layout =
        rule.layout(EligibleNodes.all(topology), Collections.nCopies(code.k(), new int[0]), random);
    int[] nodeOf =
        IntStream.concat(Arrays.stream(layout.dataNodes()), Arrays.stream(layout.parityNodes()))
            .toArray();
    Arrays.fill(nodeOf, data, code.k(), StripeRule.NOWHERE);
    return LostStripe.of("s", rule, 1 << 20, nodeOf, List.of(lost));
  }

  private ScheduledRepair schedule(
      RepairScheduler scheduler, LostStripe stripe, RepairPlanner planner, Topology topology) {
    return scheduler
        .schedule(
            List.of(stripe),
            new RepairCounts(ClusterSnapshot.of(topology)),
            new PlanSettings(planner, Network.of(topology)),
            new SplittableRandom(random.nextLong()))
        .assigned()
        .get(0);
  }

  /** R-STAIR section III: one block of a rack is repaired within the rack, whatever else is. */
  @Test
  void aColumnWithAnotherBlockRepairsWithinItsRackHoweverShortTheStripe() {
    Topology topology = Topology.of(5, 5);
    Network network = Network.of(topology);
    String name = "rstair-n5-r4-m1-e2-l1";
    ErasureCode code = Codes.named(name);
    for (int data = 1; data <= code.k(); data++) {
      for (int lost = 0; lost < code.n(); lost++) {
        if (lost >= data && lost < code.k()) {
          continue;
        }
        LostStripe stripe = shortStripe(name, topology, OptionalInt.empty(), data, lost);
        for (RepairScheduler scheduler : RepairSchedulers.all()) {
          for (RepairPlanner planner : RepairPlanners.all()) {
            ScheduledRepair repair = schedule(scheduler, stripe, planner, topology);
            assertEquals(
                0,
                PlanCost.crossings(repair.plans().get(0), network),
                () -> scheduler.name() + " " + planner.name() + " " + repair);
          }
        }
      }
    }
  }

  /** Weights never make a repair of a given shape cross more sites. */
  @Test
  void plansCrossNoMoreThanTheBestForTheirDestinations() {
    List<Topology> topologies = List.of(Topology.of(9, 4), Topology.of(3, 3, 4));
    List<String> codes = List.of("rs-6-3", "lrc-6-2-2", "xorbas-10-6-5", "mxor-10-7");
    for (Topology topology : topologies) {
      Network network = Network.of(topology);
      long[] racks = new long[2];
      for (int i = 0; i < 160; i++) {
        ErasureCode code = Codes.named(codes.get(i % codes.size()));
        int data = 1 + random.nextInt(code.k());
        int lost = random.nextInt(data + code.n() - code.k());
        lost += lost < data ? 0 : code.k() - data;
        LostStripe stripe = shortStripe(code.name(), topology, OptionalInt.of(2), data, lost);
        for (RepairScheduler scheduler : GREEDY) {
          for (RepairPlanner planner : RepairPlanners.shapes()) {
            ScheduledRepair repair = schedule(scheduler, stripe, planner, topology);
            Plan plan = repair.plans().get(0);
            Plan best = best(repair, planner, network);
            assertTrue(
                PlanCost.siteCrossings(plan, network) <= PlanCost.siteCrossings(best, network),
                () -> scheduler.name() + " " + planner.name() + " " + repair + ", best " + best);
            racks[0] += PlanCost.crossings(plan, network);
            racks[1] += PlanCost.crossings(best, network);
          }
        }
      }
      String text = topology.sites() + " sites: " + Arrays.toString(racks) + " over racks";
      assertTrue(racks[1] > 1000, text);
      // Fewer crossings of sites may cost some of racks.
      assertTrue(racks[0] <= 1.1 * racks[1], text);
    }
  }

  private static Plan best(ScheduledRepair repair, RepairPlanner planner, Network network) {
    LostStripe stripe = repair.stripe();
    return new HelperChoice(
            stripe.code(),
            stripe.lost(),
            stripe.alive(),
            block -> stripe.nodeOf()[block],
            block -> repair.destinations().getOrDefault(block, -1),
            network.with(
                Network.Volume.ofBlock(
                    stripe.length(), stripe.code().alpha(), network.volume().slice())))
        .plan(planner)
        .orElseThrow();
  }
}
