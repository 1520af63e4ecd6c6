package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Promises;
import org.braid.code.Solver;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class ReplicationPoliciesTest {
  private static final int STRIPES = 300;
  private static final ErasureCode CODE = Codes.named("lrc-10-2-2");
  private static final EligibleNodes NODES = EligibleNodes.all(Topology.of(8, 8));

  /** The rule that conversion keeps. */
  private static final StripeRule RULE = StripeRules.on(CODE, OptionalInt.empty(), NODES);

  /** Stripes of which conversion relocates a block. */
  private static int relocating(ReplicationPolicy policy, Random random) {
    BlockPlacer placer = policy.placer(RULE, ReplicaLayout.HDFS);
    int relocating = 0;
    for (int i = 0; i < STRIPES; i++) {
      ReplicatedStripe stripe = placer.placeStripe(CODE.k(), NODES, 3, random);
      relocating += RULE.layout(NODES, stripe.replicas(), random).relocated().isEmpty() ? 0 : 1;
    }
    return relocating;
  }

  @Test
  void conversionRelocatesNothingThatEarPlaced() {
    assertEquals(0, relocating(ReplicationPolicies.EAR, Seeds.random(getClass())));
  }

  /**
   * This is why files cannot be written under ear-lrc: its stripes are free of relocations only
   * under conditions of their own.
   */
  @Test
  void conversionRelocatesWhatEarLrcPlaced() {
    Random random = Seeds.random(getClass());
    int relocating = relocating(ReplicationPolicies.EAR_LRC, random);
    assertTrue(relocating > 0, relocating + " of " + STRIPES + " stripes");
    BlockPlacer placer = ReplicationPolicies.EAR_LRC.placer(RULE, ReplicaLayout.HDFS);
    for (int i = 0; i < STRIPES; i++) {
      ReplicatedStripe stripe = placer.placeStripe(CODE.k(), NODES, 3, random);
      assertEquals(
          List.of(),
          ReplicationPolicies.EAR_LRC.encode(RULE, NODES, stripe.replicas(), random).relocated());
    }
  }

  /** Four blocks a rack would do for one rack failure of a code without local groups. */
  @Test
  void earLrcSurvivesAsManyRacksAsAreAsked() {
    Topology topology = Topology.of(20, 4);
    EligibleNodes nodes = EligibleNodes.all(topology);
    StripeRule rule = StripeRules.of(CODE, StripeLimits.perRack(4));
    Random random = Seeds.random(getClass());
    for (int failures = 1; failures <= 3; failures++) {
      ReplicationPolicy policy = ReplicationPolicies.earLrc(failures);
      BlockPlacer placer = policy.placer(rule, ReplicaLayout.HDFS);
      for (int i = 0; i < 10; i++) {
        ReplicatedStripe stripe = placer.placeStripe(CODE.k(), nodes, 3, random);
        int[] homes = policy.encode(rule, nodes, stripe.replicas(), random).nodes();
        new Promises.Combinations(topology.racks(), failures)
            .each(
                racks -> {
                  List<Integer> lost =
                      IntStream.range(0, homes.length)
                          .filter(block -> racks.contains(topology.rackOf(homes[block])))
                          .boxed()
                          .toList();
                  assertTrue(Solver.decodable(CODE, lost), racks + " of " + Arrays.toString(homes));
                  return true;
                });
      }
    }
    PlacementException four =
        assertThrows(
            PlacementException.class,
            () -> ReplicationPolicies.earLrc(4).placer(rule, ReplicaLayout.HDFS));
    assertEquals(3, four.available());
  }

  @Test
  void onlyPoliciesThatConversionKnowsWriteFiles() {
    assertEquals(
        List.of(ReplicationPolicies.EAR_LRC),
        ReplicationPolicies.all().stream().filter(p -> p.studiesOnly().isPresent()).toList());
  }
}
