package org.braid.cli.bench.planning;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.grouping.Grouping;
import org.braid.placement.grouping.ReplicaTable;
import org.braid.placement.grouping.RetroactiveGrouping;
import org.braid.placement.replication.RandomReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRules;
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

/** Measures the grouping of randomly replicated blocks into stripes. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
public class GroupingBenchmark extends ClusterBenchmark {
  private static final int REPLICAS = 3;

  /** Blocks to group. */
  @Param("1000000")
  public int blocks;

  /** The code of the stripes. */
  @Param("rs-10-4")
  @SuppressWarnings("NullAway.Init")
  public String code;

  @SuppressWarnings("NullAway.Init")
  private ErasureCode erasureCode;

  @SuppressWarnings("NullAway.Init")
  private Topology topology;

  @SuppressWarnings("NullAway.Init")
  private ReplicaTable table;

  @SuppressWarnings("NullAway.Init")
  private StripeLimits limits;

  /** Peak use of the heap, garbage included. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Heap {
    /** Bytes. */
    public long peakBytes;

    /** Resets the peak. */
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
    RandomGenerator random = random();
    erasureCode = Codes.named(code);
    topology = topology();
    limits = limits(erasureCode, topology);
    ReplicaTable.Builder builder = ReplicaTable.builder();
    for (int block = 0; block < blocks; block++) {
      builder.add(
          RandomReplication.place(
              EligibleNodes.all(topology), -1, REPLICAS, ReplicaLayout.HDFS, random));
    }
    table = builder.build();
  }

  /** GroupingBenchmark them. */
  @Benchmark
  public Grouping group(Heap heap) {
    Grouping grouping =
        RetroactiveGrouping.group(
            EligibleNodes.all(topology), table, StripeRules.of(erasureCode, limits));
    heap.look();
    return grouping;
  }
}
