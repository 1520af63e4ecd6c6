package org.braid.placement.grouping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.BlockPlacer;
import org.braid.placement.replication.EncodingAwareReplication;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.replication.RandomReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class RetroactiveGroupingTest {
  private static ReplicaTable blocks(Topology topology, int count, int replicas, Random random) {
    ReplicaTable.Builder table = ReplicaTable.builder();
    for (int block = 0; block < count; block++) {
      table.add(
          RandomReplication.place(
              EligibleNodes.all(topology), -1, replicas, ReplicaLayout.HDFS, random));
    }
    return table.build();
  }

  /** As random replication does for whole racks, but without lists of candidates: for many. */
  private static ReplicaTable manyBlocks(int racks, int perRack, int count, Random random) {
    ReplicaTable.Builder table = ReplicaTable.builder();
    for (int block = 0; block < count; block++) {
      int first = random.nextInt(racks);
      int other = (first + 1 + random.nextInt(racks - 1)) % racks;
      int second = random.nextInt(perRack);
      int third = (second + 1 + random.nextInt(perRack - 1)) % perRack;
      table.add(
          first * perRack + random.nextInt(perRack),
          other * perRack + second,
          other * perRack + third);
    }
    return table.build();
  }

  /** Every block once, and the costs as the flow network and a count by hand have them. */
  private static void check(
      Topology topology, ReplicaTable table, int k, StripeLimits limits, Grouping grouping) {
    int[] all =
        IntStream.concat(
                grouping.stripes().stream().flatMapToInt(Arrays::stream),
                Arrays.stream(grouping.rest()))
            .sorted()
            .toArray();
    assertEquals(table.blocks(), all.length);
    assertTrue(IntStream.range(0, all.length).allMatch(i -> all[i] == i));
    assertEquals(table.blocks() % k, grouping.rest().length);
    long downloads = 0;
    long relocations = 0;
    for (int i = 0; i < grouping.stripes().size(); i++) {
      int[] stripe = grouping.stripes().get(i);
      assertEquals(k, stripe.length);
      int core = grouping.coreRacks()[i];
      List<int[]> replicas = Arrays.stream(stripe).mapToObj(table::nodes).toList();
      downloads +=
          replicas.stream()
              .filter(nodes -> Arrays.stream(nodes).noneMatch(n -> topology.rackOf(n) == core))
              .count();
      relocations += k - limits.matching(topology, replicas).size();
    }
    assertEquals(downloads, grouping.downloads());
    assertEquals(relocations, grouping.relocations());
  }

  private static StripeRule rule(int k, StripeLimits limits) {
    return StripeRules.of(Codes.named("rs-" + k + "-2"), limits);
  }

  /**
   * Racks that share blocks with one other rack only, so that no two blocks of a stripe may share
   * one: nearly all are left to be filled in, which is not to take the square of their number.
   */
  @Test
  @Timeout(60)
  void manyBlocksThatFitNowhereAreGrouped() {
    int racks = 18;
    Topology topology = Topology.of(racks, 2);
    ReplicaTable.Builder table = ReplicaTable.builder();
    for (int block = 0; block < 200_000; block++) {
      int rack = block % racks;
      int other = (rack + racks / 2) % racks;
      table.add(2 * rack + block / racks % 2, 2 * other, 2 * other + 1);
    }
    StripeLimits limits = new StripeLimits(1, Set.of());
    ReplicaTable blocks = table.build();
    check(
        topology,
        blocks,
        6,
        limits,
        RetroactiveGrouping.group(EligibleNodes.all(topology), blocks, rule(6, limits)));
  }

  @Test
  void groupingsAreWholeAndTheirCostsTrue() {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 150; round++) {
      Topology topology = Topology.of(2 + random.nextInt(12), 2 + random.nextInt(5));
      int k = 1 + random.nextInt(10);
      StripeLimits limits =
          new StripeLimits(
              1 + random.nextInt(3),
              random.nextInt(3) == 0 ? Set.of(random.nextInt(topology.racks())) : Set.of());
      ReplicaTable table = blocks(topology, random.nextInt(300), 1 + random.nextInt(3), random);
      check(
          topology,
          table,
          k,
          limits,
          RetroactiveGrouping.group(EligibleNodes.all(topology), table, rule(k, limits)));
      check(
          topology,
          table,
          k,
          limits,
          RetroactiveGrouping.naive(EligibleNodes.all(topology), table, rule(k, limits)));
      check(
          topology,
          table,
          k,
          limits,
          RetroactiveGrouping.asWritten(EligibleNodes.all(topology), table, rule(k, limits)));
    }
  }

  /** The costs of single stripes are those that a grouping of them sums up. */
  @Test
  void costsOfStripesSumUp() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(8, 4);
    ReplicaTable table = blocks(topology, 120, 3, random);
    StripeLimits limits = StripeLimits.perRack(1);
    Grouping naive = RetroactiveGrouping.naive(EligibleNodes.all(topology), table, rule(6, limits));
    EncodingCosts costs = new EncodingCosts(EligibleNodes.all(topology), table, rule(6, limits));
    List<EncodingCosts.Cost> each = naive.stripes().stream().map(costs::of).toList();
    assertEquals(naive.downloads(), each.stream().mapToLong(EncodingCosts.Cost::downloads).sum());
    assertEquals(
        naive.relocations(), each.stream().mapToLong(EncodingCosts.Cost::relocations).sum());
    assertTrue(costs.of(0).isFree());
  }

  @Test
  void theCoreRackIsTheOneWithASingleReplica() {
    Topology topology = Topology.of(4, 4);
    assertEquals(2, PreEncodingStore.coreRack(new int[] {9, 1, 2}, topology));
    assertEquals(2, PreEncodingStore.coreRack(new int[] {1, 2, 9}, topology));
    assertEquals(-1, PreEncodingStore.coreRack(new int[] {1, 5, 9}, topology));
    assertEquals(-1, PreEncodingStore.coreRack(new int[] {1, 9}, topology));
    assertEquals(-1, PreEncodingStore.coreRack(new int[] {3}, topology));
    assertEquals(-1, PreEncodingStore.coreRack(new int[] {0, 1, 2}, topology));
  }

  /**
   * What placement across files foresaw is found again from replicas alone: by many writers in all
   * racks, whose blocks come in any order, and with stripes that were never sealed.
   */
  @Test
  void stripesAcrossFilesAreFoundAgain() {
    Random random = Seeds.random(getClass());
    for (int round = 0; round < 8; round++) {
      Topology topology = Topology.of(9 + random.nextInt(8), 4);
      int k = 6;
      StripeLimits limits = StripeLimits.perRack(1);
      PreEncodingStore<Integer> store = new PreEncodingStore<>(k);
      EligibleNodes all = EligibleNodes.all(topology);
      BlockPlacer placer = new EncodingAwareReplication(limits, ReplicaLayout.HDFS);
      ReplicaTable.Builder table = ReplicaTable.builder();
      int blocks = 500 + random.nextInt(500);
      for (int i = 0; i < blocks; i++) {
        int writer = random.nextInt(topology.nodes());
        table.add(store.add(i, placer, all, writer, 3, random).block().nodes());
      }
      ReplicaTable written = table.build();
      Grouping found =
          RetroactiveGrouping.asWritten(EligibleNodes.all(topology), written, rule(k, limits));
      check(topology, written, k, limits, found);
      EncodingCosts costs =
          new EncodingCosts(EligibleNodes.all(topology), written, rule(k, limits));
      long free = found.stripes().stream().filter(s -> costs.of(s).isFree()).count();
      assertTrue(
          free >= (blocks - store.waiting()) / k,
          free + " free stripes, " + (blocks - store.waiting()) / k + " were sealed");
      Grouping open =
          RetroactiveGrouping.asWrittenOpen(
              EligibleNodes.all(topology), written, 2, rule(k, limits));
      long alone = alone(topology, written, k);
      assertTrue(open.downloads() <= alone, open.downloads() + " downloads, alone " + alone);
      assertEquals(0, open.relocations());
      assertTrue(open.rest().length != 1, "one block is left over");
      assertEquals(
          blocks, open.stripes().stream().mapToInt(s -> s.length).sum() + open.rest().length);
      assertTrue(open.rest().length <= topology.racks(), open.rest().length + " left over");
    }
  }

  /** Three blocks of a full stripe and one that finds no room become two and two. */
  @Test
  void theLastBlockIsNotLeftAlone() {
    Topology topology = Topology.of(6, 4);
    // Core racks 0, 0, 1 and 2: one of the last two fills the stripe of the first.
    ReplicaTable table =
        ReplicaTable.builder()
            .add(new int[] {0, 8, 9})
            .add(new int[] {1, 12, 13})
            .add(new int[] {4, 16, 17})
            .add(new int[] {10, 20, 21})
            .build();
    Grouping open =
        RetroactiveGrouping.asWrittenOpen(
            EligibleNodes.all(topology), table, 2, rule(3, StripeLimits.perRack(1)));
    assertEquals(1, open.stripes().size());
    assertEquals(2, open.stripes().get(0).length);
    assertEquals(2, open.rest().length);
    assertEquals(0, open.downloads());
    assertEquals(0, open.relocations());
  }

  /** Core racks whose last open stripe has one block, which is not worth parity. */
  private static long alone(Topology topology, ReplicaTable written, int k) {
    int[] blocks = new int[topology.racks()];
    for (int block = 0; block < written.blocks(); block++) {
      blocks[PreEncodingStore.coreRack(written.nodes(block), topology)]++;
    }
    return Arrays.stream(blocks).filter(count -> count % k == 1).count();
  }

  /** What is left over does not grow with the blocks: only the last stripes are not free. */
  @Test
  void nearlyNothingIsDownloadedOrMoved() {
    Random random = Seeds.random(getClass());
    for (int[] kRacksAndLimit : new int[][] {{10, 20, 1}, {12, 16, 1}, {6, 6, 2}, {10, 14, 1}}) {
      int k = kRacksAndLimit[0];
      Topology topology = Topology.of(kRacksAndLimit[1], 20);
      StripeLimits limits = StripeLimits.perRack(kRacksAndLimit[2]);
      ReplicaTable table = manyBlocks(topology.racks(), 20, 20_000, random);
      Grouping ours =
          RetroactiveGrouping.group(EligibleNodes.all(topology), table, rule(k, limits));
      Grouping naive =
          RetroactiveGrouping.naive(EligibleNodes.all(topology), table, rule(k, limits));
      check(topology, table, k, limits, ours);
      String text =
          "%d of %d downloads, %d of %d relocations"
              .formatted(
                  ours.downloads(), naive.downloads(), ours.relocations(), naive.relocations());
      assertTrue(ours.downloads() * 50 <= naive.downloads(), text);
      assertTrue(ours.relocations() <= topology.racks(), text);
      assertTrue(naive.downloads() > 20_000 / 4, text);
    }
  }

  @Test
  void deadNodesKeepNothing() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(8, 4);
    ReplicaTable table = blocks(topology, 400, 3, random);
    StripeLimits limits = StripeLimits.perRack(2);
    Grouping grouping =
        RetroactiveGrouping.group(
            EligibleNodes.of(topology, node -> topology.rackOf(node) < 5), table, rule(6, limits));
    long relocations = 0;
    for (int[] stripe : grouping.stripes()) {
      List<int[]> live = new ArrayList<>();
      for (int block : stripe) {
        live.add(Arrays.stream(table.nodes(block)).filter(n -> topology.rackOf(n) < 5).toArray());
      }
      relocations += 6 - limits.matching(topology, live).size();
    }
    assertEquals(relocations, grouping.relocations());
  }

  @Test
  void refusesBlocksWithoutReplicas() {
    assertEquals(
        "block 1 has no replica",
        assertThrows(
                IllegalArgumentException.class, () -> ReplicaTable.builder().add(0).add().build())
            .getMessage());
  }

  /** A million blocks within 60 s and 2 GB. */
  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void aMillionBlocks() {
    for (int[] kAndRacks : new int[][] {{10, 20}, {12, 16}}) {
      Topology topology = Topology.of(kAndRacks[1], 20);
      ReplicaTable table = manyBlocks(kAndRacks[1], 20, 1_000_000, Seeds.random(getClass()));
      StripeLimits limits = StripeLimits.perRack(1);
      long start = System.nanoTime();
      Grouping ours =
          RetroactiveGrouping.group(EligibleNodes.all(topology), table, rule(kAndRacks[0], limits));
      double seconds = (System.nanoTime() - start) / 1e9;
      long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
      Grouping naive =
          RetroactiveGrouping.naive(EligibleNodes.all(topology), table, rule(kAndRacks[0], limits));
      System.out.printf(
          "k = %d, %d racks: %.1f s, %d MiB; downloads %d instead of %d, relocations %d instead"
              + " of %d%n",
          kAndRacks[0],
          kAndRacks[1],
          seconds,
          used >> 20,
          ours.downloads(),
          naive.downloads(),
          ours.relocations(),
          naive.relocations());
      assertTrue(seconds < 60, seconds + " s");
      assertTrue(used < 2L << 30, used + " bytes");
      assertTrue(ours.downloads() * 1000 < naive.downloads());
      assertTrue(ours.relocations() <= kAndRacks[1]);
    }
  }
}
