package org.braid.sim.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.sim.durability.ImportanceSampling.Effort;
import org.braid.sim.durability.ImportanceSampling.Result;
import org.braid.sim.durability.RepairParameters.Course;
import org.braid.sim.durability.RepairParameters.Law;
import org.braid.sim.durability.RepairParameters.Order;
import org.braid.sim.failure.FailureTrace;
import org.braid.sim.failure.Lifetime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ImportanceSamplingTest {
  private static final double YEAR = Durability.SECONDS_PER_YEAR;
  private static final Effort EFFORT = new Effort(20_000, 0.05, 30_000);

  private static StripeModel model(
      EncodedCluster cluster, FailureModel failures, RepairTimes repairs, Course course) {
    return new StripeModel(cluster, new ErasurePatterns(cluster.code()), failures, repairs, course);
  }

  private static Result run(StripeModel model, double years, long seed) {
    return new ImportanceSampling(model, years * YEAR).run(EFFORT, seed, UnaryOperator.identity());
  }

  private static StripeMarkovChain chain(StripeModel model) {
    return StripeMarkovChain.of(
            model.cluster().code().n(),
            model.failures().node(),
            model.repairs(),
            model.course().order(),
            model.patterns().steps(100_000, Samples.random(1)))
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "rep-2, TOGETHER, 200",
    "rep-3, ONE_BY_ONE, 500",
    "rs-6-3, TOGETHER, 2000",
    "rs-6-3, ONE_BY_ONE, 2",
    "rs-10-4, TOGETHER, 3",
    "rs-10-4, TOGETHER, 0.05",
    "lrc-12-2-2, TOGETHER, 10",
    "xorbas-10-6-5, TOGETHER, 5",
    "hitchhiker-xor-6-3, TOGETHER, 24"
  })
  void agreesWithTheMarkovChain(String code, Order order, double hours) {
    StripeModel model =
        model(
            Samples.cluster(code, "20x5"),
            FailureModel.ofNodes(Lifetime.exponential(4 * YEAR)),
            Samples.hours(hours),
            new Course(order, Law.EXPONENTIAL));
    StripeMarkovChain chain = chain(model);
    Result result = run(model, 10, 7);
    assertTrue(chain.exact());
    assertTrue(
        result.losses().holds(chain.losses(), 1.5),
        () -> code + ": " + result.losses() + " and " + chain.losses());
    assertTrue(result.losses().precision() < 0.5, () -> "" + result.losses());
    assertEquals(1, result.lostBlocks().mean() / chain.lostBlocks(), 0.25, code);
  }

  @Test
  void rareLossIsSeenInFewDraws() {
    StripeModel model =
        model(
            Samples.cluster("rs-10-4", "50x20"),
            FailureModel.ofNodes(Lifetime.exponential(4 * YEAR)),
            Samples.hours(0.1),
            Course.PRODUCT);
    Result result = run(model, 10, 3);
    double perYear = result.losses().mean() * YEAR;
    assertTrue(perYear > 0 && perYear < 1e-17, () -> "" + perYear);
    assertTrue(result.losses().low() > 0);
    assertTrue(result.losses().precision() < 0.15, () -> "" + result.losses());
    assertEquals(0, result.natural());
  }

  @Test
  void noMoreMissionsThanAsked() {
    StripeModel model =
        model(
            Samples.cluster("rs-6-3", "20x5"),
            FailureModel.ofNodes(Lifetime.exponential(4 * YEAR)),
            Samples.hours(1),
            Course.PRODUCT);
    ImportanceSampling sampling = new ImportanceSampling(model, YEAR);
    for (int missions : new int[] {2, 64, 100, 300}) {
      Effort effort = new Effort(missions, 0, Long.MAX_VALUE);
      Result one = sampling.run(effort, 3, UnaryOperator.identity());
      assertEquals(missions, one.losses().draws());
      assertEquals(one, sampling.run(effort, 3, IntStream::parallel));
    }
  }

  @Tag("slow")
  @Test
  void sameSeedSameResultHoweverItIsSpread() {
    StripeModel model =
        model(
            Samples.cluster("rs-6-3", "20x5"),
            FailureModel.ofNodes(new Lifetime(3 * YEAR, 1.3))
                .withRacks(Lifetime.exponential(30 * YEAR), Lifetime.ENDLESS)
                .with(new FailureModel.Latent(1e-22, 14 * 86_400)),
            Samples.hours(20),
            Course.PRODUCT);
    ImportanceSampling missions = new ImportanceSampling(model, YEAR);
    Effort effort = new Effort(300, 0, 1_000_000);
    Result one = missions.run(effort, 5, UnaryOperator.identity());
    assertEquals(one, missions.run(effort, 5, IntStream::parallel));
    assertEquals(one, new ImportanceSampling(model, YEAR).run(effort, 5, UnaryOperator.identity()));
    assertTrue(one.losses().mean() != missions.run(effort, 6, i -> i).losses().mean());
  }

  @Test
  void burstsOfNodes() {
    // Two copies on 2 of 10 nodes; each burst hits both with 3*2/(10*9).
    EncodedCluster cluster = Samples.cluster("rep-2", "10x1");
    StripeModel model =
        model(
            cluster,
            FailureModel.ofNodes(Lifetime.ENDLESS).with(new FailureModel.Bursts(50 * YEAR, 3)),
            Samples.hours(0.001),
            Course.PRODUCT);
    Result result = run(model, 10, 2);
    assertEquals(1, result.losses().mean() * 50 * YEAR / (6 / 90.0), 0.05);
    assertTrue(result.losses().holds(6 / 90.0 / (50 * YEAR), 1.5), () -> "" + result.losses());
  }

  @Test
  void racksTakeWhatIsInThem() {
    Topology one = Topology.of(1, 8);
    EncodedCluster cluster = Samples.cluster("rep-3", one, OptionalInt.of(3));
    StripeModel model =
        model(
            cluster,
            FailureModel.ofNodes(Lifetime.ENDLESS)
                .withRacks(Lifetime.exponential(1000 * YEAR), Lifetime.ENDLESS),
            Samples.hours(1),
            Course.PRODUCT);
    Result result = run(model, 1, 2);
    assertEquals(1, result.losses().mean() * 1000 * YEAR, 1e-9);

    EncodedCluster spread = Samples.cluster("rep-3", "8x4");
    Result apart = run(model(spread, model.failures(), model.repairs(), model.course()), 1, 2);
    assertTrue(apart.losses().mean() < 1e-6 / YEAR, () -> "" + apart.losses());
    assertTrue(apart.losses().mean() > 0);
  }

  @Test
  void latentErrorsWaitForTheScrubber() {
    double node = 1 / (100 * YEAR);
    double latent = 1 / (200 * YEAR);
    double scrub = 30 * 86_400;
    EncodedCluster cluster = Samples.cluster("rep-2", "10x1");
    StripeModel model =
        model(
            cluster,
            FailureModel.ofNodes(Lifetime.exponential(1 / node))
                .with(new FailureModel.Latent(latent / cluster.blockSize(), scrub)),
            Samples.hours(1e-6),
            Course.PRODUCT);
    // One block has an error for half a scrub on average; in that time the other one is lost, or
    // gets an error itself.
    double expected = 2 * latent * scrub / 2 * (node + latent);
    Result result = run(model, 100, 4);
    assertTrue(result.losses().holds(expected, 1.5), () -> expected + " " + result.losses());
    assertEquals(1, result.losses().mean() / expected, 0.1);
  }

  @Test
  void outagesHoldUpRepairs() {
    EncodedCluster cluster = Samples.cluster("rs-6-3", "12x1");
    FailureModel failures = FailureModel.ofNodes(Lifetime.exponential(YEAR));
    RepairTimes quick = Samples.hours(1);
    double calm = run(model(cluster, failures, quick, Course.PRODUCT), 5, 1).losses().high();
    // A third of the time each node is away: six blocks are often not to be had.
    FailureModel away =
        failures.with(
            new FailureModel.Outages(
                new FailureModel.Outage(30 * Samples.HOUR, 10 * Samples.HOUR),
                FailureModel.Outage.NONE,
                FailureModel.Outage.NONE));
    RepairTimes late = (missing, nodes) -> new RepairTimes.Wait(0, 0, Samples.HOUR);
    Result held = run(model(cluster, away, late, Course.PRODUCT), 0.1, 1);
    assertTrue(held.losses().low() > 2 * calm, () -> calm + " " + held);
  }

  @Test
  void weibullNodesFailAsOftenButNotAlike() {
    EncodedCluster cluster = Samples.cluster("rep-2", "10x1");
    RepairTimes repairs = Samples.hours(100);
    double rate = 2 / (2 * YEAR);
    for (double shape : new double[] {0.7, 1, 2.5}) {
      StripeModel model =
          model(
              cluster,
              FailureModel.ofNodes(new Lifetime(2 * YEAR, shape)),
              repairs,
              new Course(Order.TOGETHER, Law.EXPONENTIAL));
      Result result = run(model, 10, 9);
      double departures = result.departures() / (double) result.losses().draws() / (10 * YEAR);
      assertEquals(1, departures / rate, 0.04, "shape " + shape);
      // Ages of two nodes are independent, so that the rate of the second is the mean rate.
      double chain =
          chain(
                  model(
                      cluster,
                      FailureModel.ofNodes(Lifetime.exponential(2 * YEAR)),
                      repairs,
                      model.course()))
              .losses();
      assertEquals(1, result.losses().mean() / chain, 0.08, "shape " + shape);
    }
  }

  @Test
  void replayedFailuresLoseWhatTheyHit() {
    // Two of three nodes for good within an hour, and repairs take days: two copies are lost when
    // they are on these two, one of three pairs.
    EncodedCluster cluster = Samples.cluster("rep-2", "3x1");
    FailureTrace trace =
        FailureTrace.parse(
            "t", List.of("10 fail node r0n0", "11 fail node r1n0"), cluster.topology());
    StripeModel model =
        new StripeModel(
            cluster,
            new ErasurePatterns(cluster.code()),
            FailureModel.ofNodes(Lifetime.ENDLESS).with(trace),
            Samples.hours(48),
            Course.PRODUCT);
    ImportanceSampling.Result result =
        new ImportanceSampling(model, 100 * Samples.HOUR)
            .run(new ImportanceSampling.Effort(6_000, 0, 1_000_000), 1, UnaryOperator.identity());
    assertEquals(1.0 / 3, result.losses().mean() * 100 * Samples.HOUR, 0.03);
    StripeModel quick =
        new StripeModel(
            cluster, model.patterns(), model.failures(), Samples.hours(0.5), Course.PRODUCT);
    assertEquals(
        0,
        new ImportanceSampling(quick, 100 * Samples.HOUR)
            .run(new ImportanceSampling.Effort(500, 0, 1_000_000), 1, UnaryOperator.identity())
            .losses()
            .mean());
  }
}
