package org.braid.cli.bench.planning;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeLimits;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Base of the benchmarks: the cluster and the seed that all of them take. */
@State(Scope.Benchmark)
public abstract class ClusterBenchmark {
  /** Racks of the cluster. */
  @Param("40")
  public int racks;

  /** Nodes of each rack. */
  @Param("25")
  public int nodesPerRack;

  /** Seed of all random choices. */
  @Param("1")
  public long seed;

  final Topology topology() {
    return Topology.of(racks, nodesPerRack);
  }

  final RandomGenerator random() {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  /** The limits of stripes of a code with the fewest blocks a rack. */
  static StripeLimits limits(ErasureCode code, Topology topology) {
    return StripeLimits.smallest(
        code.name(), code.n(), Tolerance.counted(code), EligibleNodes.all(topology));
  }
}
