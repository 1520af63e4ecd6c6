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
 * What readers meet at this DataNode, from its own metrics: how many packets it has sent and how
 * long each took, from the disk and onto the network. Braid's own reads do not count there.
 * Thread-safe.
 */
public final class ForegroundReads {
  private static final Logger LOG = LoggerFactory.getLogger(ForegroundReads.class);

  /** Where HDFS counts the parts of the time of a packet; they are not public. */
  static final List<String> RATES =
      List.of("sendDataPacketTransferNanos", "sendDataPacketBlockedOnNetworkNanos");

  private final List<Sum> sums;

  /**
   * What was counted since the DataNode started.
   *
   * @param packets sent to readers
   * @param nanos that they took together
   */
  public record Counted(long packets, long nanos) {}

  private ForegroundReads(List<Sum> sums) {
    this.sums = sums;
  }

  /** Those of a DataNode; of a Hadoop that counts otherwise, nothing is known. */
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

  /** What was counted so far; empty when that cannot be known. */
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

  /** A rate whose interval begins anew whenever a monitoring system looks. */
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

    /** The interval as it is now has so many samples. */
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
