package org.braid.plan.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.schedule.RepairScheduler.Schedule;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** What every scheduler keeps. */
abstract class RepairSchedulerContract {
  private final Random random = Seeds.random(RepairSchedulerContract.class);

  abstract RepairScheduler scheduler();

  private Schedule schedule(
      List<LostStripe> damaged, ClusterSnapshot cluster, String shape, long seed) {
    return scheduler()
        .schedule(
            damaged,
            new RepairCounts(cluster),
            LostStripes.planning(shape, cluster.topology()),
            new SplittableRandom(seed));
  }

  private static ClusterSnapshot without(Topology topology, List<Integer> lost) {
    ClusterSnapshot cluster = ClusterSnapshot.of(topology);
    for (int node : lost) {
      cluster = cluster.without(node);
    }
    return cluster;
  }

  @Test
  void everyLostBlockIsRebuiltOnceWhereItMayBe() {
    Topology topology = Topology.of(10, 6);
    for (String code : LostStripes.CODES) {
      for (RepairPlanner planner : RepairPlanners.all()) {
        List<Integer> lostNodes =
            random.ints(1 + random.nextInt(2), 0, topology.nodes()).distinct().boxed().toList();
        List<LostStripe> damaged = LostStripes.damaged(code, topology, 25, lostNodes, random);
        Schedule schedule =
            schedule(damaged, without(topology, lostNodes), planner.name(), random.nextLong());
        assertEquals(List.of(), schedule.refused());
        assertEquals(
            damaged.stream().map(LostStripe::id).toList(),
            schedule.assigned().stream().map(a -> a.stripe().id()).toList());
        schedule.assigned().forEach(a -> check(a, topology, lostNodes));
      }
    }
  }

  private static void check(ScheduledRepair repair, Topology topology, List<Integer> lostNodes) {
    LostStripe stripe = repair.stripe();
    ErasureCode code = stripe.code();
    assertEquals(1, repair.plans().size());
    Plan plan = repair.plans().get(0);
    Set<SubBlock> wanted = Set.copyOf(Solver.subBlocks(code, stripe.lost()));
    Map<SubBlock, List<Integer>> stored = LostStripes.stored(code, plan);
    assertEquals(wanted, stored.keySet());
    stored.forEach(
        (target, row) ->
            assertEquals(Arrays.stream(LostStripes.row(code, target)).boxed().toList(), row));
    plan.stores()
        .forEach(
            store -> assertEquals(repair.destinations().get(store.target().block()), store.node()));
    assertTrue(stripe.alive().containsAll(repair.helpers()));
    int[] places = stripe.nodeOf().clone();
    repair.destinations().forEach((block, node) -> places[block] = node);
    assertEquals(new TreeSet<>(stripe.lost()), repair.destinations().keySet());
    assertEquals(code.n(), Arrays.stream(places).distinct().count(), Arrays.toString(places));
    Map<Integer, Set<Integer>> inRack = new HashMap<>();
    for (int block = 0; block < places.length; block++) {
      assertFalse(lostNodes.contains(places[block]));
      inRack.computeIfAbsent(topology.rackOf(places[block]), r -> new HashSet<>()).add(block);
    }
    for (Set<Integer> blocks : inRack.values()) {
      assertTrue(blocks.size() <= stripe.rule().perRack());
      code.racks()
          .ifPresent(racks -> assertEquals(1, blocks.stream().map(racks::get).distinct().count()));
    }
    if (code instanceof ParityCopies copied) {
      checkCopies(copied, repair, topology, places);
    }
  }

  /**
   * Of each parity the nearest copy is read, and copies are in racks of their own. A copy in the
   * rack of the destination is no nearer than one in a rack of which another helper is read: what
   * leaves that rack is combined to one block.
   */
  private static void checkCopies(
      ParityCopies code, ScheduledRepair repair, Topology topology, int[] places) {
    LostStripe stripe = repair.stripe();
    Set<Integer> racks = new HashSet<>();
    stripe.lost().forEach(block -> racks.add(topology.rackOf(places[block])));
    for (int block = code.k(); block < code.n(); block++) {
      for (int copy : code.copiesOf(block)) {
        boolean apart = topology.rackOf(places[block]) != topology.rackOf(places[copy]);
        assertTrue(block == copy || apart, Arrays.toString(places));
        if (repair.helpers().contains(block) && stripe.alive().contains(copy)) {
          int rack = topology.rackOf(places[block]);
          long read =
              repair.helpers().stream().filter(h -> topology.rackOf(places[h]) == rack).count();
          assertTrue(
              racks.size() > 1
                  || read > 1
                  || racks.contains(topology.rackOf(places[block]))
                  || !racks.contains(topology.rackOf(places[copy])),
              () -> "copy " + copy + " is nearer than " + repair);
        }
      }
    }
  }

  /** As when a bad copy is there that is kept until there is a good one. */
  @Test
  void aBlockThatItsOwnNodeCannotTakeYetIsRebuiltAtAStandIn() {
    Topology topology = Topology.of(5, 1);
    LostStripe stripe =
        LostStripes.lost("s", "rs-3-2", 1, 1 << 20, new int[] {0, 1, 2, 3, 4}, List.of(1));
    LostStripe.Notes notes = LostStripe.Notes.NONE.withForbidden(Set.of(1));
    ClusterSnapshot cluster = ClusterSnapshot.of(topology);
    assertEquals(1, schedule(List.of(stripe.with(notes)), cluster, "chain", 1).refused().size());
    LostStripe standing = stripe.with(notes.withStandIns(Map.of(1, 1)));
    Schedule schedule = schedule(List.of(standing), cluster, "chain", 1);
    assertEquals(List.of(), schedule.refused());
    assertFalse(schedule.assigned().get(0).destinations().containsValue(1));
  }

  @Test
  void aStandInHasNoOtherBlockOfTheStripeWhereThatCanBe() {
    Topology topology = Topology.of(5, 2);
    int[] nodeOf = {0, 2, 4, 6, 8};
    LostStripe.Notes notes =
        LostStripe.Notes.NONE.withForbidden(Set.of(2, 3, 5, 7, 9)).withStandIns(Map.of(1, 2));
    LostStripe stripe = LostStripes.lost("s", "rs-3-2", 1, 1 << 20, nodeOf, List.of(1)).with(notes);
    Schedule schedule = schedule(List.of(stripe), ClusterSnapshot.of(topology), "chain", 1);
    assertEquals(Map.of(1, 1), schedule.assigned().get(0).destinations());
  }

  /** Other blocks find their places as if it were at its own node. */
  @Test
  void aBlockAtAStandInKeepsItsOwnPlace() {
    Topology topology = Topology.of(5, 2);
    int[] nodeOf = {0, 2, 4, 6, 8};
    LostStripe.Notes notes =
        LostStripe.Notes.NONE.withForbidden(Set.of(2, 4)).withStandIns(Map.of(1, 2));
    LostStripe stripe =
        LostStripes.lost("s", "rs-3-2", 1, 1 << 20, nodeOf, List.of(1, 2)).with(notes);
    Schedule schedule = schedule(List.of(stripe), ClusterSnapshot.of(topology), "chain", 1);
    assertEquals(List.of(), schedule.refused());
    assertEquals(5, schedule.assigned().get(0).destinations().get(2));
  }

  @Test
  void theSeedDecides() {
    Topology topology = Topology.of(8, 4);
    List<LostStripe> damaged = LostStripes.damaged("rs-6-3", topology, 60, List.of(5), random);
    ClusterSnapshot cluster = without(topology, List.of(5));
    long seed = random.nextLong();
    assertEquals(
        schedule(damaged, cluster, "ppr", seed).assigned().toString(),
        schedule(damaged, cluster, "ppr", seed).assigned().toString());
  }

  @Test
  void whatCannotBeDecodedOrPlacedIsRefusedWithNumbers() {
    Topology topology = Topology.of(9, 1);
    List<LostStripe> fatal =
        LostStripes.damaged("rs-6-3", topology, 1, List.of(0, 1, 2, 3), random);
    Schedule schedule = schedule(fatal, without(topology, List.of(0, 1, 2, 3)), "chain", 1);
    assertEquals(List.of(), schedule.assigned());
    assertTrue(schedule.refused().get(0).reason().startsWith("5 of the 9 blocks of rs-6-3"));
    List<LostStripe> homeless = LostStripes.damaged("rs-6-3", topology, 1, List.of(4), random);
    schedule = schedule(homeless, without(topology, List.of(4)), "chain", 1);
    assertEquals(List.of(), schedule.assigned());
    assertEquals(1, schedule.refused().size());
    String reason = schedule.refused().get(0).reason();
    assertTrue(reason.startsWith("no node left for a rebuilt block: 1 are to be placed"), reason);
    // With a node to go to it is the helpers that lack.
    Topology more = Topology.of(16, 1);
    List<LostStripe> four =
        LostStripes.damaged("rs-6-3", more, 9, List.of(0, 1, 2, 3, 4, 5), random);
    for (LostStripe stripe : four) {
      List<LostStripe> one = List.of(stripe);
      schedule = schedule(one, without(more, List.of(0, 1, 2, 3, 4, 5)), "chain", 1);
      assertEquals(stripe.lost().size() <= 3, schedule.refused().isEmpty());
      if (stripe.lost().size() > 3) {
        reason = schedule.refused().get(0).reason();
        assertTrue(reason.contains("do not determine the lost ones " + stripe.lost()), reason);
      }
    }
  }

  @Test
  void upgradeDomainsOfTheStripeAreAvoided() {
    Topology topology = Topology.of(12, 3);
    ClusterSnapshot cluster = without(topology, List.of(7));
    int checked = 0;
    // Twelve domains across the racks: nine blocks leave room.
    for (int node = 0; node < topology.nodes(); node++) {
      cluster = cluster.withUpgradeDomain(node, (node * 5) % 12);
    }
    for (LostStripe stripe : LostStripes.damaged("rs-6-3", topology, 80, List.of(7), random)) {
      ScheduledRepair repair = schedule(List.of(stripe), cluster, "star", 3).assigned().get(0);
      ClusterSnapshot known = cluster;
      Set<Integer> domains = new HashSet<>();
      stripe.alive().forEach(b -> domains.add(known.upgradeDomain(stripe.nodeOf()[b])));
      int node = repair.destinations().values().iterator().next();
      boolean free =
          IntStream.range(0, topology.nodes())
              .filter(n -> n != 7 && !domains.contains(known.upgradeDomain(n)))
              .anyMatch(
                  n ->
                      stripe.alive().stream()
                          .noneMatch(
                              b -> topology.rackOf(stripe.nodeOf()[b]) == topology.rackOf(n)));
      if (free) {
        checked++;
        assertFalse(domains.contains(cluster.upgradeDomain(node)), "node " + node);
      }
    }
    assertTrue(checked > 5, checked + " stripes had a choice");
  }

  @Test
  void doubtfulHelpersAndAvoidedNodesAreLeftOutWhileThereIsAWay() {
    Topology topology = Topology.of(12, 2);
    LostStripe stripe = LostStripes.damaged("rs-6-3", topology, 40, List.of(3), random).get(0);
    ClusterSnapshot cluster = without(topology, List.of(3));
    Set<Integer> helpers = Set.copyOf(stripe.alive().subList(0, 2));
    ScheduledRepair first = schedule(List.of(stripe), cluster, "chain", 1).assigned().get(0);
    Set<Integer> destinations = Set.copyOf(first.destinations().values());
    LostStripe again = stripe.with(stripe.notes().plus(helpers, destinations));
    ScheduledRepair second = schedule(List.of(again), cluster, "chain", 1).assigned().get(0);
    assertTrue(second.helpers().stream().noneMatch(helpers::contains), second.toString());
    assertTrue(second.destinations().values().stream().noneMatch(destinations::contains));
    // Where nothing else is left they are taken all the same.
    LostStripe all = stripe.with(stripe.notes().plus(Set.copyOf(stripe.alive()), Set.of()));
    assertEquals(6, schedule(List.of(all), cluster, "chain", 1).assigned().get(0).helpers().size());
  }

  @Test
  void aReaderGetsWhatItReads() {
    Topology topology = Topology.of(12, 2);
    LostStripe stripe = LostStripes.damaged("lrc-6-2-2", topology, 40, List.of(3), random).get(0);
    int client = topology.nodes() + 5;
    LostStripe read = stripe.with(stripe.notes().withReader(client));
    ScheduledRepair repair =
        schedule(List.of(read), without(topology, List.of(3)), "ppr", 1).assigned().get(0);
    assertEquals(Set.of(client), Set.copyOf(repair.destinations().values()));
    assertEquals(client, repair.plans().get(0).stores().get(0).node());
  }
}
