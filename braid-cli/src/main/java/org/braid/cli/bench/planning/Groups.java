package org.braid.cli.bench.planning;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.placement.RandomReplication;
import org.braid.placement.StripeLimits;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;
import org.braid.placement.grouping.Grouping;
import org.braid.placement.grouping.ReplicaTable;
import org.braid.placement.grouping.RetroactiveGrouping;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Stripes made of blocks that random replication placed. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
public class Groups {
  private static final int REPLICAS = 3;

  /** Blocks to group. */
  @Param("1000000")
  public int blocks;

  /** The code of the stripes. */
  @Param("rs-10-4")
  @SuppressWarnings("NullAway.Init")
  public String code;

  /** Racks of the cluster. */
  @Param("40")
  public int racks;

  /** Nodes of each rack. */
  @Param("25")
  public int nodesPerRack;

  /** Seed of the replicas. */
  @Param("1")
  public long seed;

  @SuppressWarnings("NullAway.Init")
  private ErasureCode erasureCode;

  @SuppressWarnings("NullAway.Init")
  private Topology topology;

  @SuppressWarnings("NullAway.Init")
  private ReplicaTable table;

  @SuppressWarnings("NullAway.Init")
  private StripeLimits limits;

  /** What the heap held at most, garbage included. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Heap {
    /** Bytes. */
    public long peakBytes;

    /** Forgets what was before. */
    @Setup(Level.Iteration)
    public void reset() {
      pools().forEach(MemoryPoolMXBean::resetPeakUsage);
    }

    void look() {
      peakBytes = pools().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    }

    private static java.util.stream.Stream<MemoryPoolMXBean> pools() {
      return ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP);
    }
  }

  /** Places the blocks. */
  @Setup
  public void place() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    erasureCode = Codes.named(code);
    topology = Topology.of(racks, nodesPerRack);
    limits =
        StripeLimits.smallest(
            code, erasureCode.n(), Tolerance.counted(erasureCode), topology, node -> true);
    ReplicaTable.Builder builder = ReplicaTable.builder();
    for (int block = 0; block < blocks; block++) {
      builder.add(RandomReplication.place(topology, node -> true, -1, REPLICAS, random));
    }
    table = builder.build();
  }

  /** Groups them. */
  @Benchmark
  public Grouping group(Heap heap) {
    Grouping grouping =
        RetroactiveGrouping.group(
            topology, node -> true, table, StripeRules.of(erasureCode, limits));
    heap.look();
    return grouping;
  }
}
