package org.braid.plan.cost;

import static org.braid.plan.TestRepairs.sumOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.plan.Link;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.TestRepairs;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanTimeTest {
  /** 1,000 bytes a second, blocks of 8,000 bytes, slices of 100. */
  private static final Network FLAT =
      Network.flat().with(new Network.Rates(1000, 1)).with(new Network.Volume(8000, 100));

  private static double seconds(String shape, int k, Network network) {
    Plan plan =
        RepairPlanners.named(shape)
            .plan(List.of(sumOf(k)), IntUnaryOperator.identity(), block -> 0, network);
    return PlanCost.of(plan, 1, network).seconds();
  }

  private static int steps(int k) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(k);
  }

  /** The formulas of the papers; C/B is 8 seconds, a slice takes 0.1. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 6, 8, 10, 12, 20})
  void timesAreThePapers(int k) {
    assertEquals(8.0 * k, seconds("star", k, FLAT), 1e-9);
    assertEquals(8.0 * steps(k), seconds("ppr", k, FLAT), 1e-9);
    assertEquals(8 + 0.1 * (k - 1), seconds("chain", k, FLAT), 1e-9);
  }

  /** Trees are compared by their links alone: that must be the time of the plan they become. */
  @Test
  void theTimeOfLinksIsThatOfTheirPlan() {
    Random random = Seeds.random(PlanTimeTest.class);
    for (int round = 0; round < 200; round++) {
      int k = 1 + random.nextInt(14);
      Network network =
          Network.of(Topology.of(2 + random.nextInt(5), 60))
              .with(new Network.Rates(1000, 1 + random.nextInt(5)))
              .with(new Network.Volume(8000, 1 + random.nextInt(9000)));
      List<Integer> nodes = new ArrayList<>();
      IntStream.range(0, 120).forEach(nodes::add);
      Collections.shuffle(nodes, random);
      int root = nodes.get(0);
      for (RepairPlanner planner : RepairPlanners.shapes()) {
        Plan plan = planner.plan(List.of(sumOf(k)), b -> nodes.get(b), b -> root, network);
        List<Link> links =
            plan.steps().stream()
                .filter(Step.Send.class::isInstance)
                .map(Step.Send.class::cast)
                .map(send -> new Link(send.from(), send.node()))
                .toList();
        assertEquals(k, links.size());
        assertEquals(PlanTime.seconds(plan, network), PlanTime.seconds(links, network), 1e-9);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 6, 8, 10, 12, 20})
  void storedBeforeSentOn(int k) {
    Network blocks = FLAT.with(new Network.Volume(8000, 8000));
    assertEquals(8.0 * k, seconds("star", k, blocks), 1e-9);
    assertEquals(8.0 * steps(k), seconds("ppr", k, blocks), 1e-9);
    assertEquals(8.0 * k, seconds("chain", k, blocks), 1e-9);
    // A slice is never longer than what there is to send.
    assertEquals(8.0 * k, seconds("chain", k, FLAT.with(new Network.Volume(8000, 1 << 20))), 1e-9);
  }

  @Test
  void uplinksAreShared() {
    // Racks of four nodes, root 0 in rack 0; an uplink has half of its nodes' rate: 2,000.
    Network racks =
        Network.of(Topology.of(4, 4))
            .with(new Network.Rates(1000, 2))
            .with(new Network.Volume(8000, 100));
    // Of 12 blocks 9 come across: 9 * 8000 / 2000 = 36 s is less than the root's link's 96 s.
    assertEquals(96, seconds("star", 12, racks), 1e-9);
    // An uplink of 250: now the root's rack is the bottleneck.
    Network slow = racks.with(new Network.Rates(1000, 16));
    assertEquals(9 * 32, seconds("star", 12, slow), 2);
    // One stream a rack; as a binomial tree of racks two of them come to the root's rack.
    assertEquals(2 * 32, seconds("racktree", 12, slow), 2);
    assertEquals(32, seconds("chain", 12, slow), 2);
  }

  @Test
  void linksOfSitesAreShared() {
    // Two sites of eight nodes: root 0, and of the helpers 1 to 12 five at the other site.
    Network fast =
        Network.of(Topology.of(2, 2, 4))
            .with(new Network.Rates(1000, 1))
            .with(new Network.Volume(8000, 100));
    Network slow = fast.with(new Network.Rates(1000, 1, 100));
    assertEquals(96, seconds("star", 12, fast), 1e-9);
    assertEquals(5 * 80, seconds("star", 12, slow), 2);
    assertTrue(seconds("chain", 12, fast) < 10);
    // Once there and once back, in different directions of the links.
    assertEquals(80, seconds("chain", 12, slow), 5);
    assertEquals(80, seconds("racktree", 12, slow), 5);
    // Whoever is at the same site does not notice.
    assertEquals(seconds("chain", 7, fast), seconds("chain", 7, slow), 1e-9);
  }

  @Test
  void nodesOutsideOfTheTopologyHaveNoUplinkToWaitFor() {
    Network racks =
        Network.of(Topology.of(8, 1))
            .with(new Network.Rates(1000, 1))
            .with(new Network.Volume(8000, 100));
    Plan plan =
        RepairPlanners.named("star")
            .plan(List.of(sumOf(3)), IntUnaryOperator.identity(), block -> 99, racks);
    assertEquals(24, PlanTime.seconds(plan, racks), 1e-9);
  }

  @Test
  void whatMovesNothingTakesNoTime() {
    Plan plan = RepairPlanners.named("star").plan(List.of(sumOf(3)), block -> 5, block -> 5, FLAT);
    assertEquals(0, PlanTime.seconds(plan, FLAT));
  }

  @Test
  void refusesNetworksThatMoveNothing() {
    String link = TestRepairs.refusal(() -> new Network.Rates(0, 1));
    assertEquals("a link of 0.0 bytes a second moves nothing", link);
    String ratio = TestRepairs.refusal(() -> new Network.Rates(1, 0.5));
    assertTrue(ratio.startsWith("oversubscription 0.5, needs"), ratio);
    String site = TestRepairs.refusal(() -> new Network.Rates(1, 1, 0));
    assertEquals("a site's link of 0.0 bytes a second moves nothing", site);
    String volume = TestRepairs.refusal(() -> new Network.Volume(0, 5));
    assertEquals("values of 0 bytes in slices of 5, both need at least 1", volume);
  }
}
