package org.braid.cli.bench.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.RepairPlacement;
import org.braid.placement.rule.StripeLimits;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures the planning of a repair: choice of the new home and the helpers, solving and planning,
 * as PPR section 7.6 does for m-PPR.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class RepairPlanBenchmark extends ClusterBenchmark {
  private static final int STRIPES = 1 << 12;

  /** The code's name. */
  @Param({"rs-6-3", "rs-12-4"})
  @SuppressWarnings("NullAway.Init")
  public String code;

  /** The planner's name. */
  @Param({"star", "ppr", "chain", "racktree"})
  @SuppressWarnings("NullAway.Init")
  public String shape;

  private record Lost(int[] nodeOf, int block, List<Integer> alive) {}

  private final List<Lost> stripes = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private ErasureCode erasureCode;

  @SuppressWarnings("NullAway.Init")
  private RepairPlanner planner;

  @SuppressWarnings("NullAway.Init")
  private Topology topology;

  @SuppressWarnings("NullAway.Init")
  private Network network;

  @SuppressWarnings("NullAway.Init")
  private StripeLimits limits;

  @SuppressWarnings("NullAway.Init")
  private RandomGenerator random;

  private int next;

  /** Places stripes, each with a lost block. */
  @Setup
  public void stripes() {
    random = random();
    erasureCode = Codes.named(code);
    planner = RepairPlanners.named(shape);
    topology = topology();
    network = Network.of(topology);
    int n = erasureCode.n();
    limits = limits(erasureCode, topology);
    for (int i = 0; i < STRIPES; i++) {
      int[] nodeOf = new int[n];
      Arrays.fill(nodeOf, -1);
      List<Integer> all = IntStream.range(0, n).boxed().toList();
      nodeOf =
          RepairPlacement.destinations(EligibleNodes.all(topology), nodeOf, all, limits, random);
      int lost = random.nextInt(n);
      stripes.add(new Lost(nodeOf, lost, all.stream().filter(b -> b != lost).toList()));
    }
  }

  /** Plans the repair of the next stripe. */
  @Benchmark
  public Plan plan() {
    Lost stripe = stripes.get(next++ & STRIPES - 1);
    int[] nodeOf = stripe.nodeOf();
    int dead = nodeOf[stripe.block()];
    int root =
        RepairPlacement.destinations(
            EligibleNodes.of(topology, node -> node != dead),
            nodeOf,
            List.of(stripe.block()),
            limits,
            random)[0];
    return new HelperChoice(
            erasureCode,
            List.of(stripe.block()),
            stripe.alive(),
            block -> nodeOf[block],
            block -> root,
            network)
        .plan(planner)
        .orElseThrow();
  }
}
