package org.braid.hdfs.coordinator;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.coordinator.policy.PolicyResults;
import org.braid.hdfs.coordinator.throttle.ThrottleMetrics;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a daemon has done and has to do, for monitoring systems. Thread-safe. */
final class DaemonFigures {
  private static final Logger LOG = LoggerFactory.getLogger(DaemonFigures.class);

  /** The prefix of Hadoop's metrics in this process. */
  static final String PREFIX = "Braid";

  private final PolicyResults policies = new PolicyResults();
  private final AtomicLong rebuilt = new AtomicLong();
  private final AtomicLong settled = new AtomicLong();
  private final AtomicLong handOvers = new AtomicLong();
  private final AtomicLong demanded = new AtomicLong();
  private volatile IntSupplier demandedNow = () -> 0;
  private volatile IntSupplier urgentNow = () -> 0;
  private volatile IntSupplier lookNow = () -> 0;
  private volatile boolean leads;
  private volatile long open;
  private volatile int postponed;
  private volatile int unrepairable;

  /** Sources of this process, and its metrics if nothing else here has any. */
  record Published(DaemonMetrics.Published sources, boolean owned) implements AutoCloseable {
    @Override
    public void close() {
      sources.close();
      if (owned) {
        DefaultMetricsSystem.shutdown(); // sinks write what there is, and close
      }
    }
  }

  /** What came of policies. */
  PolicyResults policies() {
    return policies;
  }

  /**
   * Notes that the daemon now holds the lease.
   *
   * @param rebuiltForReaders blocks rebuilt so far because readers waited
   * @param rebuiltUrgently blocks rebuilt so far during other work, urgent ones and others
   */
  synchronized void leads(IntSupplier rebuiltForReaders, IntSupplier rebuiltUrgently) {
    demandedNow = rebuiltForReaders;
    urgentNow = rebuiltUrgently;
    leads = true;
  }

  /**
   * Notes that the daemon no longer holds the lease.
   *
   * @param gave whether it gave way to another coordinator
   */
  synchronized void follows(boolean gave) {
    leads = false;
    demanded.addAndGet(demandedNow.getAsInt());
    demandedNow = () -> 0;
    rebuilt.addAndGet(urgentNow.getAsInt());
    urgentNow = () -> 0;
    open = 0;
    postponed = 0;
    unrepairable = 0;
    if (gave) {
      handOvers.incrementAndGet();
    }
  }

  /** Sets the number of damaged stripes that are found and not yet repaired. */
  void open(long stripes) {
    open = stripes;
  }

  /**
   * Notes that a search for lost blocks begins, which may last for hours.
   *
   * @param rebuiltSoFar blocks that the search has rebuilt
   */
  synchronized void looks(IntSupplier rebuiltSoFar) {
    lookNow = rebuiltSoFar;
  }

  /** Notes that a search failed; the blocks that it rebuilt count. */
  synchronized void lookFailed() {
    rebuilt.addAndGet(lookNow.getAsInt());
    lookNow = () -> 0;
    open = 0;
  }

  /**
   * Number of blocks rebuilt by searches, finished and running ones, and during other work.
   * Synchronized, so that a block that moves from one sum to another counts exactly once.
   */
  private synchronized long rebuilt() {
    return rebuilt.get() + urgentNow.getAsInt() + lookNow.getAsInt();
  }

  private synchronized long demanded() {
    return demanded.get() + demandedNow.getAsInt();
  }

  /** Notes that a search for lost blocks has ended. */
  synchronized void looked(RepairReport report, boolean whole) {
    lookNow = () -> 0;
    rebuilt.addAndGet(report.repaired().size());
    settled.addAndGet(report.settled());
    postponed = whole ? report.postponed() : Math.max(postponed, report.postponed());
    int beyond = report.unrepairable().size();
    unrepairable = whole ? beyond : Math.max(unrepairable, beyond);
    open = 0;
  }

  /** Publishes them in this process, until they are closed. */
  Published publish(Throttles throttles) {
    boolean owned = !DefaultMetricsSystem.inMiniClusterMode();
    if (owned) {
      try {
        DefaultMetricsSystem.initialize(PREFIX);
      } catch (RuntimeException | LinkageError e) {
        LOG.warn("the daemon works on, but nobody gets its figures: {}", e.toString());
      }
    }
    DaemonMetrics metrics = metrics();
    ThrottleMetrics.addTo(metrics, throttles);
    return new Published(metrics.publish("coordinator"), owned);
  }

  DaemonMetrics metrics() {
    DaemonMetrics metrics = new DaemonMetrics();
    metrics.label("ProcessName", "The kind of daemon", () -> "BraidDaemon");
    metrics.gauge("Leads", "1 while this daemon has the lease", () -> leads ? 1 : 0);
    metrics.gauge(
        "RepairsOpen", "Damaged stripes that were found and are not repaired yet", () -> open);
    metrics.gauge("StripesPostponed", "Stripes whose silent nodes may come back", () -> postponed);
    metrics.gauge(
        "BlocksUnrepairable",
        "Blocks that could not be rebuilt at the last look",
        () -> unrepairable);
    metrics.counter("BlocksRebuilt", "Blocks rebuilt because they were found lost", this::rebuilt);
    metrics.counter(
        "BlocksRebuiltForReaders", "Blocks rebuilt because a reader waited", this::demanded);
    metrics.counter(
        "BlocksSettled", "Blocks that needed no rebuilding as their nodes were back", settled::get);
    metrics.counter("HandOvers", "How often the lease was given to others", handOvers::get);
    policies.addTo(metrics);
    return metrics;
  }
}
