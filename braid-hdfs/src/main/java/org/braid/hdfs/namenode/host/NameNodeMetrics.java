package org.braid.hdfs.namenode.host;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.metrics.TrafficCounters;

/** Counters of Braid's work in a NameNode, for monitoring systems. */
public final class NameNodeMetrics {
  /** The events that are counted. */
  public enum Count {
    CALLS_DEFERRED("CallsDeferred", "Calls that waited until lost blocks were rebuilt"),
    REMOVALS_HELD(
        "RemovalsHeld", "Removals that waited for lost blocks which need what they remove"),
    REMOVALS_REFUSED(
        "RemovalsRefused", "Removals refused for lost blocks which need what they remove"),
    WRITES_PREPARED(
        "WritesPrepared", "Appends, truncations and joins that converted files were met by"),
    STRIPES_TRIMMED("StripesTrimmed", "Stripes whose surplus replicas were dropped"),
    REPLICAS_DROPPED("ReplicasDropped", "Surplus replicas that were dropped"),
    BYTES_DROPPED("BytesDropped", "Bytes of surplus replicas that were dropped"),
    FILES_PERSISTED("FilesPersisted", "Files that got replication 1"),
    FILES_RAISED("FilesRaised", "Files that got their replication back"),
    BLOCKS_PROTECTED(
        "BlocksProtected", "Blocks that got replicas because their stripes lost others"),
    PATHS_SWEPT("PathsSwept", "Parity files that nobody needed any more, deleted"),
    CALLS_REFUSED("CallsRefused", "Calls of users refused to protect stripes");

    private final String title;
    private final String about;

    Count(String title, String about) {
      this.title = title;
      this.about = about;
    }
  }

  private final DaemonMetrics daemon = new DaemonMetrics();
  private final Map<Count, MutableCounterLong> counters = new EnumMap<>(Count.class);
  private final MutableRate callWait =
      daemon.rate("CallWait", "Milliseconds that calls waited for lost blocks");

  /** What HDFS moves by itself because Braid asked it to. */
  private final TrafficCounters traffic =
      new TrafficCounters(EnumSet.of(Cause.RESTORE), EnumSet.noneOf(Cause.class));

  NameNodeMetrics() {
    daemon.label("ProcessName", "The kind of daemon", () -> "NameNode");
    traffic.addTo(daemon);
    for (Count what : Count.values()) {
      counters.put(what, daemon.counter(what.title, what.about));
    }
  }

  /** The published metrics, to which callers add gauges. */
  public DaemonMetrics daemon() {
    return daemon;
  }

  /** Counters of the bytes that HDFS copies, as for restored replicas. */
  public TrafficCounters traffic() {
    return traffic;
  }

  /** Counts one event. */
  public void count(Count what) {
    count(what, 1);
  }

  /** Counts several events. */
  public void count(Count what, long times) {
    Objects.requireNonNull(counters.get(what)).incr(times);
  }

  /** Counts the answer of a call that waited for lost blocks. */
  public void deferred(long millis) {
    count(Count.CALLS_DEFERRED);
    callWait.add(millis);
  }
}
