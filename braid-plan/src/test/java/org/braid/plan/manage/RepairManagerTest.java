package org.braid.plan.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.braid.placement.Topology;
import org.braid.plan.manage.RepairManager.AbandonedStripe;
import org.braid.plan.manage.RepairManager.Settings;
import org.braid.plan.manage.RepairManager.Submitted;
import org.braid.plan.manage.RepairPriority.Urgency;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.LostStripes;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class RepairManagerTest {
  private static final RepairPriority LOSS = new RepairPriority(Urgency.LOSS, 0);
  private static final RepairPriority READ = new RepairPriority(Urgency.READ, 0);

  private final Random random = Seeds.random(RepairManagerTest.class);

  private static RepairManager manager(
      Settings settings, RepairScheduler scheduler, ClusterSnapshot cluster) {
    return new RepairManager(
        settings,
        scheduler,
        LostStripes.planning("chain", cluster.topology()),
        cluster,
        new SplittableRandom(1));
  }

  /** What runs at once at each node, and over each rack's uplink, counted from the plans. */
  private static void checkBudgets(
      RepairManager manager, Topology topology, RepairBudgets budgets) {
    assertTrue(manager.running().size() <= budgets.inAll());
    Map<Integer, Integer> ofNode = new HashMap<>();
    Map<Integer, Integer> ofRack = new HashMap<>();
    for (RepairJob job : manager.running()) {
      Set<Integer> nodes = new HashSet<>(job.repair().plans().get(0).nodes());
      Set<Integer> racks = new HashSet<>();
      nodes.stream().filter(n -> n < topology.nodes()).forEach(n -> racks.add(topology.rackOf(n)));
      nodes.forEach(node -> ofNode.merge(node, 1, Integer::sum));
      if (racks.size() > 1) {
        racks.forEach(rack -> ofRack.merge(rack, 1, Integer::sum));
      }
    }
    ofNode.forEach(
        (node, count) ->
            assertTrue(count <= budgets.perNode() || node >= topology.nodes(), "node " + node));
    ofRack.forEach((rack, count) -> assertTrue(count <= budgets.perUplink(), "rack " + rack));
  }

  @Test
  void whateverEndsWhenBudgetsHoldAndAllIsRepairedOnce() {
    Topology topology = Topology.of(8, 3);
    for (RepairScheduler scheduler : RepairSchedulers.all()) {
      for (int round = 0; round < 6; round++) {
        RepairBudgets budgets =
            new RepairBudgets(1 + random.nextInt(3), 1 + random.nextInt(6), 1 + random.nextInt(8));
        List<LostStripe> damaged =
            LostStripes.damaged("rs-6-3", topology, 90, List.of(2, 9), random);
        RepairManager manager =
            manager(
                new Settings(budgets, 0, -1, 1000, 50, 0),
                scheduler,
                ClusterSnapshot.of(topology).without(2).without(9));
        List<LostStripe> later = new ArrayList<>(damaged);
        Set<String> done = new HashSet<>();
        long now = 0;
        while (done.size() < damaged.size()) {
          while (!later.isEmpty() && random.nextInt(3) > 0) {
            RepairPriority demand = random.nextInt(5) == 0 ? READ : LOSS;
            assertEquals(Submitted.QUEUED, manager.submit(later.remove(0), demand));
          }
          manager.start(now);
          checkBudgets(manager, topology, budgets);
          List<RepairJob> running = manager.running();
          if (!running.isEmpty()) {
            RepairJob job = running.get(random.nextInt(running.size()));
            if (random.nextInt(6) == 0) {
              manager.failed(job, new RepairFailure(Set.of(), Set.of(), "chance"));
            } else {
              manager.done(job);
              assertTrue(done.add(job.repair().stripe().id()));
            }
          }
          now += random.nextInt(50);
        }
        assertEquals(List.of(), manager.running());
        assertEquals(List.of(), manager.waiting());
        assertEquals(List.of(), manager.givenUp());
      }
    }
  }

  @Test
  void readersComeFirstThenStripesWithFewSpareBlocksThenMoves() {
    Topology topology = Topology.of(12, 1);
    int[] nodeOf = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    // Each needs all racks, one can run at a time.
    RepairManager manager =
        manager(
            Settings.at(new RepairBudgets(1, 1)),
            RepairSchedulers.MPPR,
            ClusterSnapshot.of(topology).without(0).without(1).without(2));
    manager.submit(LostStripes.lost("one", "rs-6-3", 1, 100, nodeOf, List.of(0)), LOSS);
    manager.submit(LostStripes.lost("three", "rs-6-3", 1, 100, nodeOf, List.of(0, 1, 2)), LOSS);
    manager.submit(LostStripes.lost("two", "rs-6-3", 1, 100, nodeOf, List.of(0, 1)), LOSS);
    manager.submit(LostStripes.lost("uno", "rs-6-3", 1, 100, nodeOf, List.of(1)), LOSS);
    manager.submit(LostStripes.lost("read", "rs-6-3", 1, 100, nodeOf, List.of(2)), READ);
    manager.submit(LostStripes.lost("late", "rs-6-3", 1, 100, nodeOf, List.of(2)), READ);
    List<String> order = new ArrayList<>();
    while (!manager.waiting().isEmpty()) {
      List<RepairJob> started = manager.start(0);
      assertEquals(1, started.size());
      order.add(started.get(0).repair().stripe().id());
      manager.done(started.get(0));
    }
    assertEquals(List.of("read", "late", "three", "two", "one", "uno"), order);
  }

  @Test
  void aRepairThatNeedsMuchIsNotPassedForEver() {
    // Small stripes of two nodes keep coming; the large one needs all nodes at once.
    Topology topology = Topology.of(1, 10);
    ClusterSnapshot cluster = ClusterSnapshot.of(topology);
    RepairManager manager =
        manager(Settings.at(new RepairBudgets(1, 1)), RepairSchedulers.MPPR, cluster);
    int small = 0;
    for (; small < 4; small++) {
      manager.submit(small(small), LOSS);
    }
    manager.start(0);
    int[] nodes = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    manager.submit(LostStripes.lost("large", "xor-8-1", 10, 100, nodes, List.of(8)), LOSS);
    int passed = 0;
    while (manager.waiting().stream().anyMatch(s -> s.id().equals("large"))) {
      manager.submit(small(small++), LOSS);
      if (!manager.running().isEmpty()) {
        manager.done(manager.running().get(random.nextInt(manager.running().size())));
      }
      passed += manager.start(0).size();
      // Besides those that passed it: the first ones, and as many as one start may begin at once.
      int pairs = topology.nodes() / 2;
      assertTrue(passed <= RepairManager.PATIENCE + 2 * pairs, passed + " small ones went before");
    }
    assertTrue(passed > 3, "the small ones did not have to wait from the start: " + passed);
  }

  private static LostStripe small(int i) {
    int node = i % 5 * 2;
    return LostStripes.lost("small" + i, "rep-2", 10, 100, new int[] {node, node + 1}, List.of(0));
  }

  @Test
  void aLossThatMayBeTransientWaitsUnlessHardlyAnythingIsSpare() {
    Topology topology = Topology.of(12, 1);
    int[] nodeOf = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    RepairManager manager =
        manager(
            new Settings(new RepairBudgets(4, 4), 900, 1, 1000, 3, 0),
            RepairSchedulers.TOGETHER,
            ClusterSnapshot.of(topology).without(0).without(1));
    RepairPriority at = new RepairPriority(Urgency.LOSS, 5000);
    manager.submit(LostStripes.lost("one", "rs-6-3", 1, 100, nodeOf, List.of(0)), at);
    manager.submit(LostStripes.lost("two", "rs-6-3", 1, 100, nodeOf, List.of(0, 1)), at);
    manager.submit(LostStripes.lost("back", "rs-6-3", 1, 100, nodeOf, List.of(1)), at);
    manager.submit(LostStripes.lost("read", "rs-6-3", 1, 100, nodeOf, List.of(1)), at);
    assertEquals(List.of("two"), ids(manager.start(5000)));
    assertEquals(OptionalLong.of(5900), manager.wake(5000));
    manager.submit(
        LostStripes.lost("read", "rs-6-3", 1, 100, nodeOf, List.of(1)),
        new RepairPriority(Urgency.READ, 5000));
    assertEquals(List.of("read"), ids(manager.start(5001)));
    assertEquals(List.of(), manager.start(5899));
    manager.withdraw("back");
    assertEquals(List.of("one"), ids(manager.start(5900)));
    assertEquals(List.of(), manager.waiting());
  }

  private static List<String> ids(List<RepairJob> jobs) {
    return jobs.stream().map(job -> job.repair().stripe().id()).toList();
  }

  @Test
  void anOverdueRepairIsPlannedWithOtherHelpersAndAtLastGivenUp() {
    Topology topology = Topology.of(14, 1);
    int[] nodeOf = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    LostStripe stripe = LostStripes.lost("s", "rs-6-3", 1, 100, nodeOf, List.of(0));
    RepairManager manager =
        manager(
            new Settings(new RepairBudgets(4, 4), 0, -1, 1000, 3, 0),
            RepairSchedulers.ARRIVAL,
            ClusterSnapshot.of(topology).without(0));
    manager.submit(stripe, LOSS);
    RepairJob first = manager.start(100).get(0);
    assertEquals(1, first.attempt());
    assertEquals(Submitted.RUNNING, manager.submit(stripe, READ));
    assertEquals(List.of(), manager.overdue(1099));
    assertEquals(OptionalLong.of(1100), manager.wake(1099));
    assertEquals(List.of(first), manager.overdue(1100));
    int silent = first.repair().helpers().iterator().next();
    int full = first.repair().destinations().get(0);
    manager.failed(first, new RepairFailure(Set.of(silent), Set.of(full), "too slow"));
    assertThrows(IllegalArgumentException.class, () -> manager.done(first));
    RepairJob second = manager.start(1100).get(0);
    assertEquals(2, second.attempt());
    assertFalse(second.repair().helpers().contains(silent));
    assertFalse(second.repair().destinations().containsValue(full));
    manager.failed(second, new RepairFailure(Set.of(), Set.of(), "slow again"));
    // What is submitted anew does not forget what failed.
    assertEquals(Submitted.UPDATED, manager.submit(stripe, LOSS));
    RepairJob third = manager.start(1200).get(0);
    assertFalse(third.repair().helpers().contains(silent));
    manager.failed(third, new RepairFailure(Set.of(), Set.of(), "still slow"));
    assertEquals(List.of(), manager.start(1300));
    assertEquals(
        List.of("3 attempts failed, the last: still slow"),
        manager.givenUp().stream().map(AbandonedStripe::reason).toList());
    assertEquals(List.of(), manager.givenUp());
  }

  @Test
  void anInterruptedRepairStartsAgainAndCountsNoAttempt() {
    Topology topology = Topology.of(8, 3);
    List<LostStripe> damaged = LostStripes.damaged("rs-6-3", topology, 90, List.of(2, 9), random);
    RepairManager manager =
        manager(
            new Settings(new RepairBudgets(1, 1), 0, -1, 1000, 1, 0),
            RepairSchedulers.ARRIVAL,
            ClusterSnapshot.of(topology).without(2).without(9));
    manager.submit(damaged.get(0), LOSS);
    for (int i = 0; i < 3; i++) {
      RepairJob job = manager.start(100).get(0);
      assertEquals(1, job.attempt());
      manager.interrupted(job);
      assertThrows(IllegalArgumentException.class, () -> manager.done(job));
      assertEquals(1, manager.queued());
    }
    assertEquals(List.of(), manager.givenUp());
    manager.done(manager.start(100).get(0));
    assertEquals(0, manager.queued());
  }

  @Test
  void whatFindsNoPlaceIsTriedAgainAndThenGivenUp() {
    Topology topology = Topology.of(10, 1);
    int[] nodeOf = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    LostStripe stripe = LostStripes.lost("s", "rs-6-3", 1, 100, nodeOf, List.of(0));
    ClusterSnapshot full = ClusterSnapshot.of(topology).without(0).without(9);
    ClusterSnapshot room = ClusterSnapshot.of(topology).without(0);
    RepairManager.Settings settings = new Settings(new RepairBudgets(4, 4), 0, -1, 1000, 3, 500);
    for (boolean helps : new boolean[] {true, false}) {
      RepairManager manager =
          new RepairManager(
              settings,
              RepairSchedulers.MPPR,
              LostStripes.planning("chain", topology),
              full,
              new SplittableRandom(1));
      manager.submit(stripe, LOSS);
      assertFalse(manager.isStuck());
      assertEquals(List.of(), manager.start(0));
      assertTrue(manager.isStuck());
      OptionalLong retry = manager.wake(0);
      assertTrue(retry.isPresent() && retry.getAsLong() > 0);
      if (helps) {
        manager.update(room);
      }
      List<RepairJob> jobs = manager.start(retry.getAsLong());
      assertEquals(helps ? 1 : 0, jobs.size());
      assertEquals(!helps, manager.isStuck());
      if (!helps) {
        assertEquals(List.of(), manager.givenUp());
        assertEquals(List.of(), manager.start(700));
        List<AbandonedStripe> given = manager.givenUp();
        assertEquals(1, given.size());
        assertTrue(given.get(0).reason().startsWith("no node left"), given.get(0).reason());
        assertEquals(OptionalLong.empty(), manager.wake(700));
      }
    }
  }

  @Test
  void aDestinationThatFillsUpIsReplacedBeforeTheRepairStarts() {
    Topology topology = Topology.of(11, 1);
    int[] nodeOf = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    ClusterSnapshot cluster = ClusterSnapshot.of(topology).without(0);
    RepairManager manager =
        manager(Settings.at(new RepairBudgets(1, 1)), RepairSchedulers.TOGETHER, cluster);
    manager.submit(LostStripes.lost("a", "rs-6-3", 1, 100, nodeOf, List.of(0)), LOSS);
    manager.submit(LostStripes.lost("b", "rs-6-3", 1, 100, nodeOf, List.of(0)), LOSS);
    RepairJob first = manager.start(0).get(0);
    int other = first.repair().destinations().get(0) == 9 ? 10 : 9;
    manager.update(cluster.without(other));
    manager.done(first);
    RepairJob second = manager.start(0).get(0);
    assertEquals(Map.of(0, 19 - other), second.repair().destinations());
    assertThrows(
        IllegalArgumentException.class,
        () -> manager.update(ClusterSnapshot.of(Topology.of(2, 5))));
  }

  @Test
  void settingsAreChecked() {
    assertEquals(
        "budgets of 0 repairs a node, 1 an uplink and 1 in all, needed are 1 or more",
        assertThrows(IllegalArgumentException.class, () -> new RepairBudgets(0, 1, 1))
            .getMessage());
    assertEquals(
        "delay -1, time-out 1, attempts 1, patience 0: needed are 0, 1, 1 and 0 or more",
        assertThrows(
                IllegalArgumentException.class,
                () -> new Settings(new RepairBudgets(1, 1), -1, 0, 1, 1, 0))
            .getMessage());
    assertEquals(
        "unknown repair scheduler \"best\"; known: arrival, mppr, together",
        assertThrows(IllegalArgumentException.class, () -> RepairSchedulers.named("best"))
            .getMessage());
    assertEquals(
        Arrays.asList("arrival", "mppr", "together"),
        RepairSchedulers.all().stream().map(RepairScheduler::name).toList());
  }

  @Test
  void nodesThatJoinTakeBlocksAndHaveBudgetsToo() {
    Topology before = Topology.of(9, 1);
    RepairManager manager =
        manager(
            Settings.at(new RepairBudgets(1, 2)),
            RepairSchedulers.MPPR,
            ClusterSnapshot.of(before).without(0));
    int[] nodeOf = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    manager.submit(LostStripes.lost("a", "rs-6-3", 1, 100, nodeOf, List.of(0)), LOSS);
    assertEquals(List.of(), manager.start(0));
    assertEquals(1, manager.givenUp().size());
    Topology after = before.toBuilder().add("r0n1", "r0").add("other", "r9").build();
    assertTrue(after.startsWith(before));
    manager.update(ClusterSnapshot.of(after).without(0));
    for (String id : List.of("a", "b")) {
      manager.submit(LostStripes.lost(id, "rs-6-3", 1, 100, nodeOf, List.of(0)), LOSS);
    }
    List<RepairJob> started = manager.start(0);
    assertEquals(1, started.size(), "both read from the same nodes");
    assertTrue(started.get(0).repair().destinations().get(0) >= before.nodes());
    manager.done(started.get(0));
    assertEquals(1, manager.start(0).size());
    assertThrows(IllegalArgumentException.class, () -> manager.update(ClusterSnapshot.of(before)));
  }
}
