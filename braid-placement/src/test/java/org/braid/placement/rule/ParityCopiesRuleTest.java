package org.braid.placement.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.derive.ParityCopies;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.replication.RandomReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.site.LocalityGroups;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SitePolicy;
import org.braid.placement.site.SiteRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class ParityCopiesRuleTest {
  private static final Random RANDOM = Seeds.random(ParityCopiesRuleTest.class);

  private static ParityCopies copied(String name, int copies) {
    return new ParityCopies(Codes.named(name), copies);
  }

  private static int[] places(StripeRule rule, Topology topology) {
    return places(
        rule, topology, IntStream.range(0, rule.code().k()).mapToObj(block -> new int[0]).toList());
  }

  private static int[] places(StripeRule rule, Topology topology, List<int[]> replicas) {
    EncodedStripe layout = rule.layout(EligibleNodes.all(topology), replicas, RANDOM);
    return layout.nodes();
  }

  private static void assertKept(StripeRule rule, Topology topology, int[] nodes) {
    List<Integer> all = IntStream.range(0, nodes.length).boxed().toList();
    assertEquals(Map.of(), rule.breaches(topology, nodes, all));
    assertEquals(rule.code().n(), Arrays.stream(nodes).distinct().count());
    int[] inRack = new int[topology.racks()];
    Arrays.stream(nodes).forEach(node -> inRack[topology.rackOf(node)]++);
    assertTrue(Arrays.stream(inRack).max().orElseThrow() <= rule.perRack());
  }

  /** Pairs of copies of one parity at one place. */
  private static int pairs(ParityCopies code, int[] nodes, IntUnaryOperator placeOf) {
    int pairs = 0;
    for (int block = code.k(); block < code.n(); block++) {
      for (int copy : code.copiesOf(block)) {
        boolean same = placeOf.applyAsInt(nodes[block]) == placeOf.applyAsInt(nodes[copy]);
        pairs += copy > block && same ? 1 : 0;
      }
    }
    return pairs;
  }

  @Test
  void copiesAreAsFarApartAsTheirPlacesLet() {
    for (int round = 0; round < 30; round++) {
      for (String name : List.of("rs-6-3", "rs-10-4", "lrc-10-2-2")) {
        ParityCopies code = copied(name, 2 + RANDOM.nextInt(2));
        Topology sites = Topology.of(3, 4, 4);
        StripeRule even =
            SiteRules.on(code, SitePolicies.EVEN, OptionalInt.empty(), EligibleNodes.all(sites));
        int[] nodes = places(even, sites);
        assertKept(even, sites, nodes);
        assertEquals(0, pairs(code, nodes, sites::siteOf), name);
        // Data that is at one or two sites leaves copies room there.
        int some = 1 + RANDOM.nextInt(2);
        nodes =
            places(
                even,
                sites,
                IntStream.range(0, code.k())
                    .mapToObj(
                        block ->
                            RandomReplication.place(
                                EligibleNodes.of(sites, n -> sites.siteOf(n) < some),
                                -1,
                                3,
                                ReplicaLayout.HDFS,
                                RANDOM))
                    .toList());
        assertKept(even, sites, nodes);
        assertEquals(0, pairs(code, nodes, sites::siteOf), name);
        Topology racks = Topology.of(8 + RANDOM.nextInt(12), 4);
        StripeRule spread = StripeRules.on(code, OptionalInt.empty(), EligibleNodes.all(racks));
        nodes = places(spread, racks);
        assertKept(spread, racks, nodes);
        assertEquals(0, pairs(code, nodes, racks::rackOf), name);
      }
    }
  }

  /** Groups stay at their sites, and copies of their parities are elsewhere. */
  @Test
  void localityGroupsKeepTheirSites() {
    for (int round = 0; round < 20; round++) {
      for (String name : List.of("mxor-10-7", "lrc-10-2-2")) {
        ParityCopies code = copied(name, 2);
        Topology topology = Topology.of(3, 8, 3);
        StripeRule rule =
            SiteRules.on(
                code, SitePolicies.CODE_AWARE, OptionalInt.empty(), EligibleNodes.all(topology));
        int[] nodes = places(rule, topology);
        assertKept(rule, topology, nodes);
        for (List<Integer> group : LocalityGroups.of(Codes.named(name))) {
          Set<Integer> at = new HashSet<>();
          group.forEach(block -> at.add(topology.siteOf(nodes[block])));
          assertEquals(1, at.size(), name + " " + group);
        }
        assertEquals(0, pairs(code, nodes, topology::siteOf), name);
        assertEquals(0, pairs(code, nodes, topology::rackOf), name);
      }
    }
  }

  /** What is rebuilt keeps the rule, and a lost copy is apart from the other one again. */
  @Test
  void rebuiltCopiesAreApart() {
    for (SitePolicy policy : List.of(SitePolicies.EVEN, SitePolicies.CODE_AWARE)) {
      for (int round = 0; round < 40; round++) {
        ParityCopies code = copied("lrc-10-2-2", 2);
        Topology topology = Topology.of(3, 6, 4);
        // Each site has room for more blocks.
        StripeRule rule = SiteRules.of(code, policy, 2, 11);
        int[] nodes = places(rule, topology);
        int lost = Codes.named("lrc-10-2-2").n() + RANDOM.nextInt(4);
        int before = nodes[lost];
        nodes[lost] =
            rule.destinations(
                    EligibleNodes.of(topology, n -> n != before), nodes, List.of(lost), RANDOM)[0];
        assertKept(rule, topology, nodes);
        assertTrue(
            code.copiesOf(lost).stream()
                .allMatch(
                    copy ->
                        copy == lost
                            || topology.siteOf(nodes[copy]) != topology.siteOf(nodes[lost])),
            policy.name());
      }
    }
  }

  /** Where sites have room for just the lost blocks, data does not take the place of a copy. */
  @Test
  void severalRebuiltBlocksLeaveCopiesTheirSites() {
    ParityCopies code = copied("rs-6-3", 2);
    Topology topology = Topology.of(3, 3, 3);
    StripeRule rule =
        SiteRules.on(code, SitePolicies.EVEN, OptionalInt.empty(), EligibleNodes.all(topology));
    assertEquals(4, rule.sites().orElseThrow().perSite());
    for (int round = 0; round < 40; round++) {
      int[] nodes = places(rule, topology);
      List<Integer> lost = List.of(0, 2, 5, 6 + RANDOM.nextInt(6));
      Set<Integer> dead = new HashSet<>();
      lost.forEach(block -> dead.add(nodes[block]));
      int[] chosen =
          rule.destinations(
              EligibleNodes.of(topology, node -> !dead.contains(node)), nodes, lost, RANDOM);
      for (int i = 0; i < chosen.length; i++) {
        nodes[lost.get(i)] = chosen[i];
      }
      assertKept(rule, topology, nodes);
      assertEquals(0, pairs(code, nodes, topology::siteOf), Arrays.toString(nodes));
    }
  }

  @Test
  void whatCannotBeKeptIsRefusedWithNumbers() {
    ErasureCode three = copied("rs-6-3", 3);
    PlacementException e =
        assertThrows(
            PlacementException.class,
            () -> StripeRules.on(three, OptionalInt.empty(), EligibleNodes.all(Topology.of(4, 9))));
    assertTrue(e.getMessage().contains("15") && e.getMessage().contains("3"), e.getMessage());
    assertEquals(
        "rstair-n5-r4-m1-e2-l1 keeps its 5 columns in racks of their own, 2 copies of parity are in"
            + " none of them: store each parity once, or choose a code without columns",
        assertThrows(
                PlacementException.class,
                () ->
                    StripeRules.on(
                        copied("rstair-n5-r4-m1-e2-l1", 2),
                        OptionalInt.empty(),
                        EligibleNodes.all(Topology.of(12, 9))))
            .getMessage());
  }
}
