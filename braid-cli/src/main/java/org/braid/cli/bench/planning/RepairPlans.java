package org.braid.cli.bench.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.placement.RepairPlacement;
import org.braid.placement.StripeLimits;
import org.braid.placement.Topology;
import org.braid.plan.HelperChoice;
import org.braid.plan.Network;
import org.braid.plan.Plan;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What a repair manager does for each lost block: choose the node that gets it, choose the helpers,
 * solve, and plan (PPR section 7.6 measures the same of m-PPR).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class RepairPlans {
  private static final int STRIPES = 1 << 12;

  /** The code's name. */
  @Param({"rs-6-3", "rs-12-4"})
  @SuppressWarnings("NullAway.Init")
  public String code;

  /** The planner's name. */
  @Param({"star", "ppr", "chain", "racktree"})
  @SuppressWarnings("NullAway.Init")
  public String shape;

  /** Racks of the cluster. */
  @Param("40")
  public int racks;

  /** Nodes of each rack. */
  @Param("25")
  public int nodesPerRack;

  /** Seed of the stripes. */
  @Param("1")
  public long seed;

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

  /** Makes stripes, each with a lost block. */
  @Setup
  public void stripes() {
    random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    erasureCode = Codes.named(code);
    planner = RepairPlanners.named(shape);
    topology = Topology.of(racks, nodesPerRack);
    network = Network.of(topology);
    int n = erasureCode.n();
    limits = StripeLimits.smallest(code, n, Tolerance.counted(erasureCode), topology, node -> true);
    for (int i = 0; i < STRIPES; i++) {
      int[] nodeOf = new int[n];
      Arrays.fill(nodeOf, -1);
      List<Integer> all = IntStream.range(0, n).boxed().toList();
      nodeOf = RepairPlacement.destinations(topology, node -> true, nodeOf, all, limits, random);
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
            topology, node -> node != dead, nodeOf, List.of(stripe.block()), limits, random)[0];
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
