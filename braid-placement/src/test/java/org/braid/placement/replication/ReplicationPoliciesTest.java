package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
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

  @Test
  void onlyPoliciesThatConversionKnowsWriteFiles() {
    assertEquals(
        List.of(ReplicationPolicies.EAR_LRC),
        ReplicationPolicies.all().stream().filter(p -> p.studiesOnly().isPresent()).toList());
  }
}
