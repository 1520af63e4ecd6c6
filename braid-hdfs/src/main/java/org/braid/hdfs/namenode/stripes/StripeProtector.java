package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests replicas for the remaining blocks of stripes that lost blocks to deletions and changes:
 * at once after a call that reports them, and by a scan of all stripes now and then. Runs on its
 * own threads, which wait for no disk.
 */
public final class StripeProtector {
  private static final Logger LOG = LoggerFactory.getLogger(StripeProtector.class);
  private static final long FIRST_MILLIS = 1000;
  private static final long SCAN_MILLIS = 10_000;

  /** Looking at all stripes takes at most this part of the time, from its begin to its end. */
  private static final long PART_SHARE = 4;

  /** So often it is looked whether this NameNode became active, or a standby. */
  private static final long TERM_MILLIS = 1000;

  /** It takes so many times as long until the next look begins. */
  private static final long SCAN_SHARE = 5;

  /** The work of the protector. */
  interface Work {
    /**
     * Protects the next stripes of all those that lost data blocks.
     *
     * @param after the end of the previous part; empty for the first part
     * @return the end of this part; empty after the last part
     */
    Optional<String> part(String after) throws IOException;

    /** Protects the stripes with deleted blocks, which takes much less time. */
    void gone() throws IOException;

    /** Protects one stripe. */
    void one(String stripe) throws IOException;

    /** Number of this NameNode's term, which changes when it becomes active or a standby. */
    long term();
  }

  private record Raising(NameNodeHost host, StripeIndex index, Raiser raiser) implements Work {
    @Override
    public Optional<String> part(String after) throws IOException {
      if (!host.decides()) {
        return Optional.empty();
      }
      index.ensure();
      return raiser.protectThinned(after);
    }

    @Override
    public void gone() throws IOException {
      if (host.decides()) {
        index.ensure();
        raiser.protectGone();
      }
    }

    @Override
    public void one(String stripe) throws IOException {
      raiser.protect(stripe);
    }

    @Override
    public long term() {
      return host.term();
    }
  }

  private final Work work;

  /** Looks at all stripes; what calls tell of does not wait for that. */
  private final ScheduledExecutorService scans = DaemonThreads.scheduled(1, "braid-stripe-scan");

  private final ScheduledExecutorService thread =
      DaemonThreads.scheduled(1, "braid-stripe-protector");

  /** Whether a look for what is gone is to begin that was asked for. */
  private final AtomicBoolean asked = new AtomicBoolean();

  /** When the next look for what is gone may begin. */
  private volatile long next = Long.MIN_VALUE / 2;

  /** When all stripes are looked at again, and of which term what was asked for is remembered. */
  private long due = Long.MIN_VALUE / 2;

  private long term;

  /** A protector that is not started. */
  public StripeProtector(NameNodeHost host, StripeIndex index, OpenWrites writes) {
    this(new Raising(host, index, new Raiser(host, index, writes)));
  }

  StripeProtector(Work work) {
    this.work = work;
  }

  /** Starts the scans. */
  public void start() {
    Future<?> unused =
        scans.scheduleWithFixedDelay(
            this::lookWhenDue, FIRST_MILLIS, TERM_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void submit(Runnable task, long millis) {
    try {
      Future<?> unused = thread.schedule(task, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed meanwhile", e);
    }
  }

  /**
   * Looks again at some time, or as soon as this NameNode is another than it was: what it asked for
   * in its memory alone, it has forgotten as a standby.
   */
  private void lookWhenDue() {
    Turn.take(
        () -> {
          long now = work.term();
          if (Time.monotonicNow() >= due || now != term) {
            term = now;
            long took = timed(this::lookAtAll);
            due = Time.monotonicNow() + Math.max(SCAN_MILLIS, SCAN_SHARE * took);
          }
        },
        e -> LOG.warn("what deletions left of stripes is looked for again: {}", e.toString()));
  }

  private void lookAtAll() throws IOException {
    Optional<String> after = Optional.of("");
    while (after.isPresent()) {
      long begun = System.nanoTime();
      after = work.part(after.get());
      if (after.isPresent()) {
        try {
          TimeUnit.NANOSECONDS.sleep((PART_SHARE - 1) * (System.nanoTime() - begun));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  /** Does it, and returns how long that took, in milliseconds. */
  private long timed(Turn.Step<RuntimeException> step) {
    long begun = Time.monotonicNow();
    Turn.take(
        step,
        e -> {
          if (!thread.isShutdown()) {
            LOG.warn("what deletions left of stripes is protected later: {}", e.getMessage(), e);
          }
        });
    return Time.monotonicNow() - begun;
  }

  /**
   * Reports stripes that lost some of their data blocks: the rest is protected at once.
   *
   * @param stripes empty when they are unknown; they are then found by their deleted blocks
   */
  public void thinned(Set<String> stripes) {
    submit(() -> stripes.forEach(this::protect), 0);
    if (stripes.isEmpty() && asked.compareAndSet(false, true)) {
      submit(this::findGone, Math.max(0, next - Time.monotonicNow()));
    }
  }

  private void findGone() {
    asked.set(false);
    long took = timed(work::gone);
    next = Time.monotonicNow() + took;
  }

  private void protect(String stripe) {
    Turn.take(
        () -> work.one(stripe),
        e -> LOG.warn("stripe {} is protected later: {}", stripe, e.getMessage()));
  }

  /** Stops the scans. */
  public void close() {
    scans.shutdownNow();
    thread.shutdownNow();
  }
}
