package org.braid.plan.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.SplittableRandom;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.LostStripes;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.shape.RepairPlanners;
import org.junit.jupiter.api.Test;

final class RecoveryForecastTest {
  /** Repairs that share nothing take as long as one; those that share a link take turns. */
  @Test
  void theForecastSharesLinks() {
    Topology topology = Topology.of(1, 30);
    Network network = Network.of(topology).with(new Network.Volume(1 << 20, 1 << 20));
    PlanSettings planning = new PlanSettings(RepairPlanners.named("star"), network);
    double alone = 3 * (1 << 20) / network.rates().link();
    for (int disjoint = 0; disjoint < 2; disjoint++) {
      for (int budget : new int[] {1, 5}) {
        // Readers at their own links: what is shared is the helpers' alone.
        RepairManager manager =
            new RepairManager(
                RepairManager.Settings.at(new RepairBudgets(budget, 5)),
                RepairSchedulers.MPPR,
                planning,
                ClusterSnapshot.of(topology),
                new SplittableRandom(1));
        for (int i = 0; i < 4; i++) {
          int from = disjoint * i * 4;
          int[] nodes = {from, from + 1, from + 2, from + 3};
          LostStripe stripe = LostStripes.lost("s" + i, "xor-3-1", 9, 1 << 20, nodes, List.of(0));
          manager.submit(
              stripe.with(stripe.notes().withReader(100 + i)),
              new RepairPriority(RepairPriority.Urgency.READ, 0));
        }
        RecoveryForecast forecast =
            RecoveryForecast.of(manager, ClusterSnapshot.of(topology), planning);
        assertEquals(4, forecast.repairs().size());
        // Each helper sends a block: four of them through one link are longer than three alone.
        double expected = disjoint == 1 ? alone : budget == 1 ? 4 * alone : 4 * alone / 3;
        assertEquals(expected, forecast.seconds(), alone / 1e6, disjoint + " " + budget);
      }
    }
  }

  /** More stripes than are scheduled at once cannot be decoded; they come first in the queue. */
  @Test
  void stripesThatCannotBeDecodedDoNotHideTheOthers() {
    Topology topology = Topology.of(1, 30);
    Network network = Network.of(topology).with(new Network.Volume(1 << 20, 1 << 20));
    PlanSettings planning = new PlanSettings(RepairPlanners.named("star"), network);
    RepairManager manager =
        new RepairManager(
            RepairManager.Settings.at(new RepairBudgets(1, 5)),
            RepairSchedulers.MPPR,
            planning,
            ClusterSnapshot.of(topology),
            new SplittableRandom(1));
    RepairPriority priority = new RepairPriority(RepairPriority.Urgency.LOSS, 0);
    int[] nodes = {0, 1, 2, 3};
    for (int i = 0; i < 1001; i++) {
      manager.submit(
          LostStripes.lost("dead" + i, "xor-3-1", 9, 1 << 20, nodes, List.of(0, 1)), priority);
    }
    manager.submit(LostStripes.lost("alive", "xor-3-1", 9, 1 << 20, nodes, List.of(0)), priority);
    RecoveryForecast forecast =
        RecoveryForecast.of(manager, ClusterSnapshot.of(topology), planning);
    assertEquals(
        List.of("alive"),
        forecast.repairs().stream().map(t -> t.job().repair().stripe().id()).toList());
    assertEquals(1001, manager.givenUp().size());
    assertEquals(0, manager.queued());
  }
}
