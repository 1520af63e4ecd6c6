package org.braid.hdfs.namenode.host;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.braid.hdfs.rpc.PublishedMetrics;

/**
 * What Braid does in a NameNode, for monitoring systems: the source {@value
 * PublishedMetrics#SOURCE} of Hadoop's metrics, so that {@code /jmx}, {@code /prom} and every sink
 * that is configured have it.
 */
public final class NameNodeMetrics implements MetricsSource {
  private final MetricsRegistry registry = PublishedMetrics.registry();
  private final List<Gauge> gauges = new CopyOnWriteArrayList<>();

  private record Gauge(MetricsInfo info, LongSupplier value) {}

  private final MutableCounterLong callsDeferred =
      counter("CallsDeferred", "Calls that waited until lost blocks were rebuilt");
  private final MutableRate callWait =
      registry.newRate("CallWait", "Milliseconds that calls waited for lost blocks");
  private final MutableCounterLong removalsHeld =
      counter("RemovalsHeld", "Removals that waited for lost blocks which need what they remove");
  private final MutableCounterLong removalsRefused =
      counter("RemovalsRefused", "Removals refused for lost blocks which need what they remove");
  private final MutableCounterLong writesPrepared =
      counter("WritesPrepared", "Appends, truncations and joins that converted files were met by");
  private final MutableCounterLong stripesTrimmed =
      counter("StripesTrimmed", "Stripes whose surplus replicas were dropped");
  private final MutableCounterLong replicasDropped =
      counter("ReplicasDropped", "Surplus replicas that were dropped");
  private final MutableCounterLong bytesDropped =
      counter("BytesDropped", "Bytes of surplus replicas that were dropped");
  private final MutableCounterLong filesPersisted =
      counter("FilesPersisted", "Files that got replication 1");
  private final MutableCounterLong filesRaised =
      counter("FilesRaised", "Files that got their replication back");
  private final MutableCounterLong blocksProtected =
      counter("BlocksProtected", "Blocks that got replicas because their stripes lost others");
  private final MutableCounterLong pathsSwept =
      counter("PathsSwept", "Parity files that nobody needed any more, deleted");
  private final MutableCounterLong callsRefused =
      counter("CallsRefused", "Calls of users refused to protect stripes");

  private MutableCounterLong counter(String name, String about) {
    return registry.newCounter(Interns.info(name, about), 0L);
  }

  /** Adds a value that is asked for whenever somebody looks; it must not take a lock for long. */
  public void gauge(String name, String about, LongSupplier value) {
    gauges.add(new Gauge(Interns.info(name, about), value));
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(registry.info());
    gauges.forEach(gauge -> record.addGauge(gauge.info(), gauge.value().getAsLong()));
    registry.snapshot(record, all);
  }

  /** A call that waited for lost blocks is answered. */
  public void deferred(long millis) {
    callsDeferred.incr();
    callWait.add(millis);
  }

  /** A removal waits. */
  public void removalHeld() {
    removalsHeld.incr();
  }

  /** A removal is refused. */
  public void removalRefused() {
    removalsRefused.incr();
  }

  /** A converted file is about to be written. */
  public void writePrepared() {
    writesPrepared.incr();
  }

  /** A stripe has no surplus replicas any more. */
  public void stripeTrimmed() {
    stripesTrimmed.incr();
  }

  /** Surplus replicas of a block were dropped. */
  public void replicasDropped(int replicas, long bytes) {
    replicasDropped.incr(replicas);
    bytesDropped.incr(bytes);
  }

  /** A file has replication 1. */
  public void filePersisted() {
    filesPersisted.incr();
  }

  /** A file gets its replicas back. */
  public void fileRaised() {
    filesRaised.incr();
  }

  /** Blocks get replicas because their stripe lost others. */
  public void blocksProtected(int blocks) {
    blocksProtected.incr(blocks);
  }

  /** Parity was deleted that nobody needs. */
  public void swept(int paths) {
    pathsSwept.incr(paths);
  }

  /** A call is refused. */
  public void callRefused() {
    callsRefused.incr();
  }
}
