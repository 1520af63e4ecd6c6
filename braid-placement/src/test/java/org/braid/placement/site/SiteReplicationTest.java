package org.braid.placement.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.grouping.EncodingCosts;
import org.braid.placement.grouping.Grouping;
import org.braid.placement.grouping.ReplicaTable;
import org.braid.placement.grouping.RetroactiveGrouping;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.EncoderChoice;
import org.braid.placement.replication.EncodingAwareReplication;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.RandomReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.rule.EncodedStripe;
import org.braid.placement.rule.StripeRule;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The promises of encoding-aware replication under rules that know sites. */
final class SiteReplicationTest {
  private static final List<String> CODES =
      List.of(
          "rs-6-3",
          "rs-10-4",
          "lrc-10-2-2",
          "lrc-12-4-2",
          "lrc-12-6-2",
          "xorbas-10-6-5",
          "mxor-10-7");
  private static final List<SitePolicy> POLICIES =
      List.of(SitePolicies.EVEN, SitePolicies.CODE_AWARE);

  private static <T> T any(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  /** Sites of 2 to 5 racks of 3 to 6 nodes. */
  private static Topology cluster(int sites, Random random) {
    Topology.Builder builder = Topology.builder();
    for (int site = 0; site < sites; site++) {
      int racks = 2 + random.nextInt(4);
      for (int rack = 0; rack < racks; rack++) {
        int nodes = 3 + random.nextInt(4);
        for (int node = 0; node < nodes; node++) {
          String name = "s" + site + "r" + rack;
          builder.add(name + "n" + node, name, "s" + site);
        }
      }
    }
    return builder.build();
  }

  /** The same cluster, numbered in another order. */
  private static Topology renumbered(Topology topology, Random random) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, topology.nodes()).boxed().toList());
    Collections.shuffle(order, random);
    Topology.Builder builder = Topology.builder();
    for (int node : order) {
      builder.add(
          topology.nodeName(node),
          topology.rackName(topology.rackOf(node)),
          topology.siteName(topology.siteOf(node)));
    }
    return builder.build();
  }

  private static List<int[]> translated(List<int[]> replicas, Topology from, Topology to) {
    return replicas.stream()
        .map(
            nodes ->
                Arrays.stream(nodes)
                    .map(node -> to.indexOf(from.nodeName(node)).orElseThrow())
                    .toArray())
        .toList();
  }

  private static int[] nodes(EncodedStripe layout) {
    return layout.nodes();
  }

  private static void assertKept(
      StripeRule rule, SitePolicy policy, Topology topology, int[] nodes) {
    ErasureCode code = rule.code();
    assertEquals(code.n(), Arrays.stream(nodes).distinct().count());
    int[] inRack = new int[topology.racks()];
    int[] atSite = new int[topology.sites()];
    for (int node : nodes) {
      inRack[topology.rackOf(node)]++;
      atSite[topology.siteOf(node)]++;
    }
    assertTrue(Arrays.stream(inRack).max().orElseThrow() <= rule.perRack());
    int perSite = rule.sites().orElseThrow().perSite();
    assertTrue(Arrays.stream(atSite).max().orElseThrow() <= perSite, Arrays.toString(atSite));
    for (List<Integer> group : SiteRules.groups(code, policy)) {
      assertEquals(1, group.stream().map(b -> topology.siteOf(nodes[b])).distinct().count());
    }
    for (int rack = 0; rack < topology.racks(); rack++) {
      int lost = rack;
      assertTrue(
          Solver.decodable(
              code,
              IntStream.range(0, nodes.length)
                  .filter(block -> topology.rackOf(nodes[block]) == lost)
                  .boxed()
                  .toList()));
    }
    assertEquals(
        Map.of(),
        rule.breaches(topology, nodes, IntStream.range(0, nodes.length).boxed().toList()));
  }

  @Test
  void nothingIsDownloadedNorRelocated() {
    stripes(600);
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void nothingIsDownloadedNorRelocatedOfManyStripes() {
    stripes(30_000);
  }

  private static void stripes(int count) {
    Random random = Seeds.random(SiteReplicationTest.class);
    int[] held = new int[5];
    for (int stripe = 0; stripe < count; ) {
      ErasureCode code = Codes.named(any(CODES, random));
      SitePolicy policy = any(POLICIES, random);
      Topology topology = cluster(2 + random.nextInt(3), random);
      StripeRule rule;
      try {
        rule = SiteRules.on(code, policy, OptionalInt.empty(), EligibleNodes.all(topology));
      } catch (PlacementException e) {
        continue; // too small for this code
      }
      stripe++;
      held[topology.sites()]++;
      ReplicaLayout layout = any(List.of(ReplicaLayout.values()), random);
      stripe(rule, policy, topology, layout, 2 + random.nextInt(3), random);
    }
    assertTrue(IntStream.range(2, 5).allMatch(sites -> held[sites] > count / 10));
  }

  private static void stripe(
      StripeRule rule,
      SitePolicy policy,
      Topology topology,
      ReplicaLayout layout,
      int replicas,
      Random random) {
    BlockPlacer placer = new EncodingAwareReplication(rule, layout);
    ReplicatedStripe state = ReplicatedStripe.EMPTY;
    for (int block = 0; block < rule.code().k(); block++) {
      int writer = random.nextInt(topology.nodes() + 1) - 1;
      state =
          state.plus(placer.place(state, EligibleNodes.all(topology), writer, replicas, random));
      // Files end within stripes.
      assertEquals(
          List.of(),
          rule.layout(EligibleNodes.all(topology), state.replicas(), random).relocated(),
          rule.code().name());
    }
    int core = topology.nodesIn(state.coreRack()).get(0);
    assertEquals(0, EncoderChoice.crossRackDownloads(topology, core, state.replicas()));
    int encoder = EncoderChoice.coreRack(EligibleNodes.all(topology), state.replicas(), random);
    assertEquals(0, EncoderChoice.crossRackDownloads(topology, encoder, state.replicas()));
    // Who converts may number nodes, racks and sites in another order, and finds the same rule.
    Topology other = renumbered(topology, random);
    StripeRule found =
        SiteRules.on(rule.code(), policy, OptionalInt.empty(), EligibleNodes.all(other));
    assertEquals(rule.perRack(), found.perRack());
    assertEquals(rule.sites(), found.sites());
    EncodedStripe after =
        found.layout(
            EligibleNodes.all(other), translated(state.replicas(), topology, other), random);
    assertEquals(List.of(), after.relocated());
    assertKept(found, policy, other, nodes(after));
  }

  /** Of blocks anywhere as many stay as can: all choices of sites and replicas, tried in full. */
  @Test
  void layoutsRelocateAsFewAsCanBe() {
    Random random = Seeds.random(getClass());
    int moved = 0;
    for (int round = 0; round < 150; round++) {
      ErasureCode code = Codes.named(any(List.of("rs-4-2", "lrc-4-2-2", "lrc-4-2-1"), random));
      SitePolicy policy = any(POLICIES, random);
      Topology topology = Topology.of(2 + random.nextInt(2), 2, 2 + random.nextInt(2));
      StripeRule rule;
      try {
        rule = SiteRules.on(code, policy, OptionalInt.empty(), EligibleNodes.all(topology));
      } catch (PlacementException e) {
        continue;
      }
      List<int[]> replicas =
          IntStream.range(0, 1 + random.nextInt(code.k()))
              .mapToObj(
                  b ->
                      RandomReplication.place(
                          EligibleNodes.all(topology),
                          -1,
                          1 + random.nextInt(3),
                          ReplicaLayout.HDFS,
                          random))
              .toList();
      int kept = new Exhaustive(rule, policy, topology, replicas).most();
      EncodedStripe layout = rule.layout(EligibleNodes.all(topology), replicas, random);
      assertEquals(replicas.size() - kept, layout.relocated().size(), code.name());
      assertTrue(rule.keeps(EligibleNodes.all(topology), replicas, kept));
      assertEquals(
          false, rule.keeps(EligibleNodes.all(topology), replicas, kept + 1), "one more is kept");
      assertKept(rule, policy, topology, nodes(layout));
      moved += layout.relocated().size();
    }
    assertTrue(moved > 10, moved + " relocated");
  }

  /** All choices: for each block a site, of data blocks with a replica there perhaps that. */
  private static final class Exhaustive {
    private final StripeRule rule;
    private final Topology topology;
    private final List<int[]> replicas;
    private final List<List<Integer>> groups;
    private final int[] siteOf;
    private final int[] held;
    private final int[] room;

    Exhaustive(StripeRule rule, SitePolicy policy, Topology topology, List<int[]> replicas) {
      this.rule = rule;
      this.topology = topology;
      this.replicas = replicas;
      groups = SiteRules.groups(rule.code(), policy);
      siteOf = new int[rule.code().n()];
      held = new int[topology.sites()];
      room = new int[topology.sites()];
      for (int rack = 0; rack < topology.racks(); rack++) {
        room[topology.siteOfRack(rack)] += Math.min(rule.perRack(), topology.nodesIn(rack).size());
      }
      int perSite = rule.sites().orElseThrow().perSite();
      Arrays.setAll(room, site -> Math.min(room[site], perSite));
    }

    int most() {
      return most(0);
    }

    private int most(int group) {
      if (group == groups.size()) {
        return kept(0, new boolean[topology.nodes()], new int[topology.racks()]);
      }
      int best = -1;
      int size = groups.get(group).size();
      for (int site = 0; site < room.length; site++) {
        if (held[site] + size <= room[site]) {
          held[site] += size;
          for (int block : groups.get(group)) {
            siteOf[block] = site;
          }
          best = Math.max(best, most(group + 1));
          held[site] -= size;
        }
      }
      return best;
    }

    private int kept(int block, boolean[] taken, int[] inRack) {
      if (block == replicas.size()) {
        return 0;
      }
      int best = kept(block + 1, taken, inRack);
      for (int node : replicas.get(block)) {
        int rack = topology.rackOf(node);
        if (topology.siteOf(node) == siteOf[block]
            && !taken[node]
            && inRack[rack] < rule.perRack()) {
          taken[node] = true;
          inRack[rack]++;
          best = Math.max(best, 1 + kept(block + 1, taken, inRack));
          taken[node] = false;
          inRack[rack]--;
        }
      }
      return best;
    }
  }

  /** Stripes across files are found again from where replicas are. */
  @Test
  void stripesAcrossFilesAreFoundAgain() {
    Random random = Seeds.random(getClass());
    for (SitePolicy policy : POLICIES) {
      for (String name : List.of("rs-6-3", "lrc-10-2-2", "mxor-10-7")) {
        ErasureCode code = Codes.named(name);
        Topology topology = Topology.of(3, 3, 4);
        StripeRule rule =
            SiteRules.on(code, policy, OptionalInt.empty(), EligibleNodes.all(topology));
        EligibleNodes all = EligibleNodes.all(topology);
        BlockPlacer placer = new EncodingAwareReplication(rule, ReplicaLayout.HDFS);
        PreEncodingStore<Integer> store = new PreEncodingStore<>(code.k());
        TreeMap<Integer, int[]> placed = new TreeMap<>();
        int sealed = 0;
        for (int block = 0; block < 300; block++) {
          if (block == 150) { // another NameNode
            store = restored(placed, rule, topology);
          }
          int writer = random.nextInt(topology.nodes());
          var stored = store.add(block, placer, all, writer, 3, random);
          sealed += stored.sealed().isPresent() ? 1 : 0;
          placed.put(block, stored.block().nodes());
        }
        ReplicaTable.Builder table = ReplicaTable.builder();
        placed.values().forEach(table::add);
        ReplicaTable written = table.build();
        Grouping found =
            RetroactiveGrouping.asWrittenOpen(EligibleNodes.all(topology), written, 2, rule);
        assertEquals(0, found.relocations(), name + " " + policy.name());
        int[] core = new int[topology.racks()];
        placed.values().forEach(nodes -> core[PreEncodingStore.coreRack(nodes, topology)]++);
        long alone = Arrays.stream(core).filter(count -> count % code.k() == 1).count();
        assertTrue(found.downloads() <= alone, found.downloads() + " downloads, alone " + alone);
        assertTrue(
            found.stripes().stream().filter(s -> s.length == code.k()).count() >= sealed,
            found.stripes().size() + " stripes, " + sealed + " were sealed");
        EncodingCosts costs = new EncodingCosts(EligibleNodes.all(topology), written, rule);
        for (int[] stripe : found.stripes()) {
          List<int[]> replicas = Arrays.stream(stripe).mapToObj(written::nodes).toList();
          assertEquals(
              List.of(), rule.layout(EligibleNodes.all(topology), replicas, random).relocated());
          assertEquals(0, costs.of(stripe).relocations());
        }
      }
    }
  }

  private static PreEncodingStore<Integer> restored(
      Map<Integer, int[]> placed, StripeRule rule, Topology topology) {
    PreEncodingStore<Integer> store = new PreEncodingStore<>(rule.code().k());
    placed.forEach(
        (block, nodes) ->
            store.restore(
                block,
                Arrays.stream(nodes).mapToObj(topology::nodeName).toList(),
                topology,
                rack -> rule));
    return store;
  }

  /** The room of a site is counted once, not for each of its nodes: repair asks for each block. */
  @Test
  void nodesOfLargeSitesAreFoundInMoments() {
    EligibleNodes nodes = EligibleNodes.all(Topology.of(3, 20, 200));
    StripeRule rule =
        SiteRules.on(Codes.named("rs-10-4"), SitePolicies.EVEN, OptionalInt.empty(), nodes);
    int[] nowhere = new int[14];
    Arrays.fill(nowhere, StripeRule.NOWHERE);
    List<Integer> all = IntStream.range(0, nowhere.length).boxed().toList();
    int[] chosen =
        assertTimeout(
            Duration.ofSeconds(10),
            () -> rule.destinations(nodes, nowhere, all, Seeds.random(getClass())));
    assertEquals(Map.of(), rule.breaches(nodes.topology(), chosen, all));
  }

  @Test
  void whatCannotBePromisedIsRefusedWithNumbers() {
    Random random = Seeds.random(getClass());
    // A third replica beside the second needs racks of two nodes.
    Topology narrow = Topology.of(3, 6, 1);
    StripeRule rule =
        SiteRules.on(
            Codes.named("lrc-10-2-2"),
            SitePolicies.CODE_AWARE,
            OptionalInt.empty(),
            EligibleNodes.all(narrow));
    BlockPlacer two = new EncodingAwareReplication(rule, ReplicaLayout.TWO_RACKS);
    String message =
        assertThrows(
                PlacementException.class,
                () -> two.place(ReplicatedStripe.EMPTY, EligibleNodes.all(narrow), -1, 3, random))
            .getMessage();
    assertTrue(
        String.valueOf(message).contains("needs 2 eligible nodes in one other rack"), message);
    // When sites die the groups have no place any more.
    BlockPlacer placer = new EncodingAwareReplication(rule, ReplicaLayout.HDFS);
    message =
        assertThrows(
                PlacementException.class,
                () ->
                    placer.place(
                        ReplicatedStripe.EMPTY,
                        EligibleNodes.of(narrow, n -> narrow.siteOf(n) > 0),
                        -1,
                        3,
                        random))
            .getMessage();
    assertTrue(String.valueOf(message).contains("needs places for 14 blocks"), message);
  }
}
