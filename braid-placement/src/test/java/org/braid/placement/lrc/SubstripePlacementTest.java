package org.braid.placement.lrc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.Promises;
import org.braid.code.Solver;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.replication.EncoderChoice;
import org.braid.placement.replication.EncodingAwareReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.rule.EncodedStripe;
import org.braid.placement.rule.StripeAssertions;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SubstripePlacementTest {
  /** Any 3 losses of lrc-12-2-2 can be decoded, not any 4: with 2 blocks a rack that is 1 rack. */
  @Test
  void rackFailuresAreThoseThatAnyLossesAllow() {
    ErasureCode code = Codes.named("lrc-12-2-2");
    assertEquals(4, code.m());
    int[] expected = {3, 1, 1, 1};
    for (int perRack = 1; perRack <= expected.length; perRack++) {
      assertEquals(
          expected[perRack - 1],
          SubstripeLimits.asTolerantAs(StripeRules.of(code, StripeLimits.perRack(perRack)))
              .rackFailures(),
          perRack + " blocks a rack");
    }
  }

  /** Stripes that were given up before all of their blocks had places. */
  private int refused;

  /** EAR section 3.5: c = 4 and c = 3 for the (14, 10, 2) code and one rack. */
  @Test
  void conditionsAreThoseOfThePaper() {
    Substripes lrc = Substripes.asInThePaper(Codes.named("lrc-10-2-2"));
    assertEquals(List.of(List.of(0, 1, 2, 3, 4, 10), List.of(5, 6, 7, 8, 9, 11)), lrc.groups());
    assertEquals(List.of(12, 13), lrc.globals());
    assertEquals(4, lrc.globalPerRack(1));
    assertEquals(3, lrc.localPerRack(1));
    assertEquals(lrc, Substripes.of(Codes.named("lrc-10-2-2"), 1));
    assertEquals(
        "rs-6-3 has no local groups of data",
        assertThrows(
                IllegalArgumentException.class,
                () -> Substripes.asInThePaper(Codes.named("rs-6-3")))
            .getMessage());
  }

  /** If and only if for two groups, as the paper says; not for three. */
  @Test
  void conditionsAgainstEveryPattern() {
    for (String name : List.of("lrc-10-2-2", "lrc-6-2-2", "lrc-8-2-3", "lrc-12-2-2")) {
      Substripes paper = Substripes.asInThePaper(Codes.named(name));
      for (int losses = 1; losses <= paper.globalLosses() + 1; losses++) {
        new Promises.Combinations(paper.code().n(), losses)
            .each(
                lost -> {
                  assertEquals(
                      Solver.decodable(paper.code(), lost), paper.allows(lost), name + " " + lost);
                  return true;
                });
      }
    }
    Substripes three = Substripes.asInThePaper(Codes.named("lrc-9-3-2"));
    List<Integer> lost = List.of(0, 1, 2, 3, 4);
    assertTrue(three.allows(lost));
    assertFalse(Solver.decodable(three.code(), lost));
    assertFalse(three.suffice());
    assertFalse(Substripes.of(three.code(), 1).allows(lost));
  }

  /** What is used for placement never allows a pattern that cannot be decoded. */
  @Test
  void usedConditionsSuffice() {
    for (String name : List.of("lrc-9-3-2", "lrc-8-4-2", "xorbas-10-6-5", "mxor-10-7")) {
      Substripes used = Substripes.of(Codes.named(name), 1);
      assertTrue(used.globalLosses() >= 2, used.toString());
      for (int losses = 1; losses <= used.globalLosses(); losses++) {
        new Promises.Combinations(used.code().n(), losses)
            .each(
                lost -> {
                  assertTrue(
                      !used.allows(lost) || Solver.decodable(used.code(), lost), name + lost);
                  return true;
                });
      }
    }
  }

  @Tag("slow")
  @Test
  void stripesNeedNoDownloadAndNoRelocationAndSurviveRacks() {
    Random random = Seeds.random(getClass());
    refused = 0;
    for (int round = 0; round < 25; round++) {
      stripe("lrc-10-2-2", Topology.of(6, 6), 1, random);
      stripe("lrc-10-2-2", Topology.of(10, 4), 2, random);
      stripe("lrc-6-2-2", Topology.of(4, 5), 1, random);
      stripe("lrc-12-2-2", Topology.of(16, 3), 3, random);
      stripe("lrc-9-3-2", Topology.of(8, 4), 1, random);
      stripe("xorbas-10-6-5", Topology.of(9, 4), 2, random);
      stripe("mxor-10-7", Topology.of(12, 5), 1, random);
    }
    assertTrue(refused <= 9, refused + " of 175 stripes found no place for a block");
  }

  private void stripe(String name, Topology topology, int failures, Random random) {
    ErasureCode code = Codes.named(name);
    SubstripeLimits limits = SubstripeLimits.of(code, failures);
    EncodingAwareReplication policy = new EncodingAwareReplication(limits, ReplicaLayout.HDFS);
    ReplicatedStripe state = ReplicatedStripe.EMPTY;
    for (int block = 0; block < code.k(); block++) {
      try {
        state = state.plus(policy.place(state, EligibleNodes.all(topology), -1, 3, random));
      } catch (PlacementException e) {
        // Racks are few here: earlier blocks may leave none for a later one, which is refused.
        assertTrue(e.getMessage().contains("start another stripe"), e.getMessage());
        refused++;
        return;
      }
    }
    int encoder = EncoderChoice.coreRack(EligibleNodes.all(topology), state.replicas(), random);
    assertEquals(0, EncoderChoice.crossRackDownloads(topology, encoder, state.replicas()));
    EncodedStripe layout =
        SubstripePlacement.layout(EligibleNodes.all(topology), state.replicas(), limits, random);
    assertEquals(List.of(), layout.relocated(), name);
    StripeAssertions.assertSurvives(code, topology, failures, layout);
  }

  /** Random replication leaves stripes that must be moved, but what remains survives as well. */
  @Test
  void foundReplicasAreRelocatedWhereTheyMustBe() {
    Random random = Seeds.random(getClass());
    ErasureCode code = Codes.named("lrc-10-2-2");
    int relocated = 0;
    for (int round = 0; round < 100; round++) {
      Topology topology = Topology.of(5, 5);
      SubstripeLimits limits = SubstripeLimits.of(code, 1);
      List<int[]> replicas = new ArrayList<>();
      for (int block = 0; block < code.k(); block++) {
        replicas.add(random.ints(2, 0, 12).distinct().toArray());
      }
      EncodedStripe layout =
          SubstripePlacement.layout(EligibleNodes.all(topology), replicas, limits, random);
      relocated += layout.relocated().size();
      StripeAssertions.assertSurvives(code, topology, 1, layout);
    }
    assertTrue(relocated > 0);
  }

  @Test
  void tightestClustersAreFilledAndSmallerOnesRefused() {
    Random random = Seeds.random(getClass());
    ErasureCode code = Codes.named("lrc-10-2-2");
    // 4 racks of 4 blocks hold 14; with 3 racks of 4 the stripe does not fit.
    List<int[]> nowhere = IntStream.range(0, 10).mapToObj(i -> new int[0]).toList();
    Topology tight = Topology.of(4, 4);
    EncodedStripe filled =
        SubstripePlacement.layout(
            EligibleNodes.all(tight), nowhere, SubstripeLimits.of(code, 1), random);
    StripeAssertions.assertSurvives(code, tight, 1, filled);
    assertEquals(
        "lrc-10-2-2 needs places for the 14 blocks of a stripe with at most 4, and 3 of a"
            + " substripe, in a rack, so that any 1 racks may fail; none were found on the 27"
            + " eligible nodes in 3 racks: add racks or let fewer racks fail",
        assertThrows(
                PlacementException.class,
                () ->
                    SubstripePlacement.layout(
                        EligibleNodes.all(Topology.of(3, 9)),
                        nowhere,
                        SubstripeLimits.of(code, 1),
                        random))
            .getMessage());
    assertEquals(
        "lrc-10-2-2 survives 3 lost blocks of a substripe, 4 racks that may fail need 4: ask for"
            + " less",
        assertThrows(PlacementException.class, () -> SubstripeLimits.of(code, 4)).getMessage());
  }
}
