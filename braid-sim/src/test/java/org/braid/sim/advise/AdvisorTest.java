package org.braid.sim.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.advise.Advice.Ranked;
import org.braid.sim.advise.Advice.Rejected;
import org.braid.sim.durability.Durability;
import org.braid.sim.durability.FailureModel;
import org.braid.sim.durability.RepairParameters;
import org.braid.sim.failure.Lifetime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AdvisorTest {
  private static AdviceRequest request(
      String topology, Requirements requirements, String... codes) {
    return new AdviceRequest(
        Topology.parse(topology),
        128 << 20,
        8e12,
        FailureModel.ofNodes(Lifetime.exponential(4 * Durability.SECONDS_PER_YEAR)),
        new RepairParameters(
            RepairPlanners.named("star"),
            Network.Rates.DEFAULT,
            256 << 10,
            1e9,
            new RepairBudgets(4, 32),
            0.5,
            2,
            0,
            0),
        OptionalInt.empty(),
        requirements,
        List.of(codes),
        4,
        1);
  }

  private static Advice advise(AdviceRequest request) {
    return Advisor.advise(request, UnaryOperator.identity(), (code, done, all) -> {});
  }

  private static Requirements requirements(double overhead) {
    return new Requirements(overhead, OptionalDouble.empty(), 2, 1, 0);
  }

  @Test
  void everyFamilyHasACandidate() {
    for (CodeFamily family : Codes.families()) {
      assertTrue(
          CandidateCodes.names().stream().anyMatch(n -> n.startsWith(family.prefix() + "-")),
          family.prefix());
    }
    for (String name : CandidateCodes.names()) {
      if (!name.startsWith("clay") && !name.contains("stair")) {
        assertEquals(name, Codes.named(name).name());
      }
    }
    assertEquals(CandidateCodes.names().size(), CandidateCodes.names().stream().distinct().count());
  }

  @Test
  void keepsLimitsAndSaysWhyNot() {
    String[] codes = {"rep-3", "rep-4", "xor-4-1", "rs-6-3", "rs-10-4", "lrc-10-2-3"};
    AdviceRequest request = request("10x3", requirements(1.6), codes);
    Advice advice = advise(request);
    assertFalse(advice.ranked().isEmpty());
    for (Ranked each : advice.ranked()) {
      assertEquals(
          List.of(),
          each.candidate().breaches(request.requirements(), advice.nines()),
          each.toString());
      assertTrue(
          advice.ranked().stream().noneMatch(o -> each.candidate().isDominatedBy(o.candidate())),
          each.toString());
    }
    // Every code is there with figures or with a reason.
    for (String code : codes) {
      boolean named =
          advice.ranked().stream().anyMatch(r -> r.candidate().code().equals(code))
              || advice.rejected().stream().anyMatch(r -> r.code().equals(code));
      assertTrue(named, code);
    }
    assertTrue(reasons(advice, "rep-4").contains("overhead 4.000, at most 1.600 allowed"));
    assertTrue(reasons(advice, "xor-4-1").contains("survives the loss of 1 nodes, 2 required"));
    for (Rejected each : advice.rejected()) {
      assertTrue(each.reason().matches("(?s).*[0-9].*"), each.toString());
    }
    assertEquals(advice, Advisor.advise(request, IntStream::parallel, (code, done, all) -> {}));
  }

  private static String reasons(Advice advice, String code) {
    return advice.rejected().stream()
        .filter(r -> r.code().equals(code))
        .map(Rejected::reason)
        .collect(Collectors.joining("; "));
  }

  @Test
  void aSmallClusterCannotHoldWideStripes() {
    Advice advice = advise(request("4x3", requirements(1.6), "rs-10-4", "rs-6-3"));
    assertTrue(
        reasons(advice, "rs-10-4").contains("needs 14 nodes for the 14 blocks of a stripe"),
        advice.toString());
  }

  @Test
  void manyRacksMayFail() {
    Requirements requirements = new Requirements(2, OptionalDouble.of(1), 5, 5, 0);
    Advice advice = advise(request("20x2", requirements, "rs-8-5", "rs-8-4"));
    assertFalse(advice.ranked().isEmpty(), advice.toString());
    for (Ranked each : advice.ranked()) {
      assertEquals(5, each.candidate().racks(), each.toString());
    }
    assertTrue(reasons(advice, "rs-8-4").contains("4 racks, 5 required"), advice.toString());
  }

  @Test
  void sitesArePromisedOnlyByRulesOfSites() {
    Requirements requirements = new Requirements(2.5, OptionalDouble.of(1), 1, 1, 1);
    Advice advice = advise(request("3x3x4", requirements, "rs-6-3", "rs-10-4"));
    assertFalse(advice.ranked().isEmpty());
    for (Ranked each : advice.ranked()) {
      assertEquals(1, each.candidate().sites());
      // A block in each of nine racks is three at a site; two a rack may be six.
      boolean bySites = each.candidate().placement().startsWith("even");
      assertTrue(bySites || each.candidate().perRack() == 1, each.toString());
    }
    assertTrue(reasons(advice, "rs-10-4").contains("0 sites, 1 required"), advice.toString());
  }

  @Test
  void racksThatFailAreSimulated() {
    AdviceRequest calm =
        request("10x3", new Requirements(2, OptionalDouble.of(1), 1, 1, 0), "rs-6-3");
    AdviceRequest rough =
        with(
            calm,
            calm.failures()
                .withRacks(
                    Lifetime.exponential(5 * Durability.SECONDS_PER_YEAR), Lifetime.ENDLESS));
    double before = best(advise(calm));
    double after = best(advise(rough));
    assertTrue(after < before - 1, before + " " + after);
    assertTrue(after > 3, "" + after);
  }

  /** What is lost with racks and in bursts is rebuilt, too. */
  @Test
  void theLoadOfRepairsIsOfAllLostNodes() {
    Requirements requirements = new Requirements(2, OptionalDouble.of(1), 1, 1, 0);
    AdviceRequest nodes = request("10x3", requirements, "rs-6-3");
    FailureModel failures =
        nodes
            .failures()
            .withRacks(Lifetime.exponential(2 * Durability.SECONDS_PER_YEAR), Lifetime.ENDLESS);
    double calm = rebuildSeconds(advise(nodes));
    double racks = rebuildSeconds(advise(with(nodes, failures)));
    double bursts =
        rebuildSeconds(
            advise(
                with(
                    nodes,
                    failures.with(new FailureModel.Bursts(Durability.SECONDS_PER_YEAR / 12, 3)))));
    assertTrue(racks > 1.0001 * calm, racks + " s with racks, " + calm + " s without");
    assertTrue(bursts > 1.0001 * racks, bursts + " s with bursts, " + racks + " s without");
  }

  private static double rebuildSeconds(Advice advice) {
    return Stream.concat(
            advice.ranked().stream().map(Ranked::candidate),
            advice.rejected().stream().flatMap(r -> r.candidate().stream()))
        .filter(c -> c.shape().equals("star") && c.perRack() == 1)
        .mapToDouble(Candidate::rebuildSeconds)
        .findFirst()
        .orElseThrow();
  }

  private static AdviceRequest with(AdviceRequest request, FailureModel failures) {
    return new AdviceRequest(
        request.topology(),
        request.blockSize(),
        request.nodeBytes(),
        failures,
        request.repairs(),
        request.perRack(),
        request.requirements(),
        request.codes(),
        request.samples(),
        request.seed());
  }

  private static double best(Advice advice) {
    return advice.ranked().stream()
        .mapToDouble(r -> r.candidate().durability().nines())
        .max()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1.6 | 2 | 10 | 0 | the loss of 10 of 20 racks needs an overhead of at least 2.000
          1.6 | 2 | 20 | 0 | the loss of 20 racks cannot be survived: the cluster has 20
          1.6 | 2 | 1  | 1 | the loss of 1 sites cannot be survived: the cluster has 1
          """)
  void contradictionsAreRefused(double overhead, int nodes, int racks, int sites, String reason) {
    Requirements requirements =
        new Requirements(overhead, OptionalDouble.empty(), nodes, racks, sites);
    ContradictionException e =
        assertThrows(
            ContradictionException.class, () -> advise(request("20x5", requirements, "rs-6-3")));
    assertTrue(String.valueOf(e.getMessage()).contains(reason.strip()), e.getMessage());
  }

  @Test
  void refusesLimitsThatAreNone() {
    assertThrows(IllegalArgumentException.class, () -> requirements(1));
    assertThrows(
        IllegalArgumentException.class, () -> new Requirements(2, OptionalDouble.of(-1), 1, 1, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Requirements(2, OptionalDouble.empty(), -1, 1, 0));
  }

  @Test
  void dominance() {
    Candidate one = candidate(1.4, 10, 5);
    assertTrue(one.isDominatedBy(candidate(1.3, 10, 5)));
    assertFalse(one.isDominatedBy(one));
    assertFalse(one.isDominatedBy(candidate(1.3, 9, 5)));
    assertFalse(one.isDominatedBy(candidate(1.4, 10.02, 5.01)), "samples are no better than that");
    assertTrue(one.isDominatedBy(candidate(1.4, 12, 5)));
    assertTrue(one.isDominatedBy(candidate(1.4, 10, 3)));
  }

  private static Candidate candidate(double overhead, double nines, double crossRack) {
    double lost = Math.pow(10, -nines);
    return new Candidate(
        "c",
        "racks",
        1,
        "star",
        overhead,
        new Durability(lost, lost, lost, 1 / lost, 1 / lost),
        2,
        1,
        0,
        6,
        crossRack,
        0,
        3600,
        1,
        2);
  }
}
