package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Promises;
import org.braid.code.Solver;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.EncodedStripe;
import org.braid.placement.rule.StripeAssertions;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The three promises of encoding-aware replication over the ranges of the paper's experiments (EAR
 * section 5): k of 4 to 12, 2 to 5 parities, 2 to 8 replicas in two or in all different racks, 12
 * to 40 racks, c from 1 to the number of parities, target racks.
 */
class EarPromisesTest {
  @Test
  void hold() {
    stripes(2_000);
  }

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void holdForManyStripes() {
    stripes(100_000);
  }

  private void stripes(int count) {
    Random random = Seeds.random(getClass());
    for (int stripe = 0; stripe < count; stripe++) {
      int m = 2 + random.nextInt(4);
      ErasureCode code = Codes.named("rs-" + (4 + random.nextInt(9)) + "-" + m);
      int perRack = 1 + random.nextInt(m);
      int fewest = (code.n() + perRack - 1) / perRack;
      int racks = Math.max(12, fewest + 1) + random.nextInt(24);
      Topology topology = Topology.of(racks, 8 + random.nextInt(13));
      int targets = random.nextInt(3) == 0 ? fewest + random.nextInt(racks - fewest) : 0;
      StripeLimits limits =
          targets == 0
              ? StripeLimits.perRack(perRack)
              : StripeLimits.randomTargets(EligibleNodes.all(topology), targets, perRack, random);
      List<ReplicaLayout> layouts = List.of(ReplicaLayout.values());
      ReplicaLayout layout = layouts.get(random.nextInt(layouts.size()));
      stripe(topology, code, limits, layout, 2 + random.nextInt(7), random);
    }
  }

  private static void stripe(
      Topology topology,
      ErasureCode code,
      StripeLimits limits,
      ReplicaLayout replicaLayout,
      int replicas,
      Random random) {
    BlockPlacer policy =
        ReplicationPolicies.EAR.placer(StripeRules.of(code, limits), replicaLayout);
    ReplicatedStripe state = ReplicatedStripe.EMPTY;
    for (int block = 0; block < code.k(); block++) {
      state = state.plus(policy.place(state, EligibleNodes.all(topology), -1, replicas, random));
    }
    int encoder = EncoderChoice.coreRack(EligibleNodes.all(topology), state.replicas(), random);
    assertEquals(0, EncoderChoice.crossRackDownloads(topology, encoder, state.replicas()));
    EncodedStripe layout =
        StripeRules.of(code, limits).layout(EligibleNodes.all(topology), state.replicas(), random);
    assertEquals(List.of(), layout.relocated());
    assertTolerance(topology, code, limits, layout);
  }

  private static void assertTolerance(
      Topology topology, ErasureCode code, StripeLimits limits, EncodedStripe layout) {
    int[] nodes = layout.nodes();
    assertEquals(code.n(), Arrays.stream(nodes).distinct().count()); // any m nodes may fail
    int[] inRack = new int[topology.racks()];
    for (int node : nodes) {
      assertTrue(limits.allows(topology.rackOf(node)));
      inRack[topology.rackOf(node)]++;
    }
    // Of all choices of racks the one of the fullest racks loses most.
    int[] fullest =
        IntStream.range(0, inRack.length)
            .boxed()
            .sorted((a, b) -> inRack[b] - inRack[a])
            .mapToInt(rack -> rack)
            .limit(limits.toleratedRacks(code.m()))
            .toArray();
    List<Integer> lost =
        IntStream.range(0, nodes.length)
            .filter(b -> Arrays.stream(fullest).anyMatch(r -> r == topology.rackOf(nodes[b])))
            .boxed()
            .toList();
    assertTrue(lost.size() <= code.m(), lost.toString());
    assertTrue(Solver.decodable(code, lost));
  }

  /** No other choice of racks loses more: every one, on the clusters of the testbed. */
  @Test
  void everyChoiceOfRacksMayFail() {
    Random random = Seeds.random(getClass());
    for (int[] kmc : new int[][] {{10, 4, 1}, {10, 4, 2}, {6, 3, 3}, {8, 2, 1}, {4, 2, 2}}) {
      ErasureCode code = Codes.named("rs-" + kmc[0] + "-" + kmc[1]);
      StripeLimits limits = StripeLimits.perRack(kmc[2]);
      Topology topology = Topology.of(14, 3);
      BlockPlacer policy =
          ReplicationPolicies.EAR.placer(StripeRules.of(code, limits), ReplicaLayout.HDFS);
      for (int round = 0; round < 5; round++) {
        ReplicatedStripe state = ReplicatedStripe.EMPTY;
        for (int block = 0; block < code.k(); block++) {
          state = state.plus(policy.place(state, EligibleNodes.all(topology), -1, 3, random));
        }
        EncodedStripe layout =
            StripeRules.of(code, limits)
                .layout(EligibleNodes.all(topology), state.replicas(), random);
        int failures = limits.toleratedRacks(code.m());
        StripeAssertions.assertSurvives(code, topology, failures, layout);
        new Promises.Combinations(code.n(), code.m())
            .each(
                lost -> {
                  assertTrue(Solver.decodable(code, lost));
                  return true;
                });
      }
    }
  }

  @Test
  void targetRacksAreDistinctAndEquallyLikely() {
    Random random = Seeds.random(getClass());
    Topology topology = Topology.of(6, 3);
    int[] count = new int[6];
    for (int round = 0; round < 6000; round++) {
      StripeLimits limits = StripeLimits.randomTargets(EligibleNodes.all(topology), 2, 3, random);
      assertEquals(2, limits.targetRacks().size());
      assertEquals(3, limits.perRack());
      limits.targetRacks().forEach(rack -> count[rack]++);
    }
    assertTrue(
        Arrays.stream(count).allMatch(c -> Math.abs(c - 2000) < 6 * Math.sqrt(2000 * 2 / 3.0)),
        Arrays.toString(count));
  }
}
