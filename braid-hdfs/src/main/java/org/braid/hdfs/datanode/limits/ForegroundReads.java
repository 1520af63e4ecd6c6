package org.braid.hdfs.datanode.limits;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.apache.hadoop.metrics2.util.SampleStat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latency of HDFS clients' reads at this DataNode, from the DataNode's metrics: the number of
 * packets sent, and the time that each took from disk to network. Omits Braid's own reads.
 * Thread-safe.
 */
public final class ForegroundReads {
  private static final Logger LOG = LoggerFactory.getLogger(ForegroundReads.class);

  /** The non-public fields in which HDFS measures the parts of a packet's time. */
  static final List<String> RATES =
      List.of("sendDataPacketTransferNanos", "sendDataPacketBlockedOnNetworkNanos");

  private final List<Sum> sums;

  /**
   * Counts since the DataNode started.
   *
   * @param packets packets sent to readers
   * @param nanos total time of these packets
   */
  public record Counted(long packets, long nanos) {}

  private ForegroundReads(List<Sum> sums) {
    this.sums = sums;
  }

  /** The reads of a DataNode; unknown for a Hadoop with other fields. */
  public static ForegroundReads of(DataNodeMetrics metrics) {
    List<Sum> sums = new ArrayList<>();
    try {
      for (String name : RATES) {
        Field field = DataNodeMetrics.class.getDeclaredField(name);
        field.setAccessible(true);
        sums.add(new Sum((MutableRate) field.get(metrics)));
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("work in the background cannot give way to readers by their latency: {}", e + "");
      return new ForegroundReads(List.of());
    }
    return new ForegroundReads(sums);
  }

  /** The counts so far; empty when they are unknown. */
  public synchronized Optional<Counted> counted() {
    if (sums.isEmpty()) {
      return Optional.empty();
    }
    double nanos = 0;
    for (Sum sum : sums) {
      sum.look();
      nanos += sum.total;
    }
    return Optional.of(new Counted(sums.get(0).count, (long) nanos));
  }

  /** The sum of a rate whose interval restarts whenever a monitoring system reads it. */
  static final class Sum {
    private final MutableRate rate;
    private long count;
    private double total;
    private long seen;
    private double seenTotal;

    Sum(MutableRate rate) {
      this.rate = rate;
    }

    private void look() {
      synchronized (rate) {
        SampleStat interval = rate.lastStat();
        add(interval.numSamples(), interval.mean() * interval.numSamples());
      }
    }

    /** Updates the sum from the current interval. */
    void add(long samples, double sum) {
      boolean goesOn = samples >= seen && sum >= seenTotal * (1 - 1e-6);
      count += goesOn ? samples - seen : samples;
      total += goesOn ? Math.max(0, sum - seenTotal) : sum;
      seen = samples;
      seenTotal = sum;
    }

    long count() {
      return count;
    }

    double total() {
      return total;
    }
  }
}
