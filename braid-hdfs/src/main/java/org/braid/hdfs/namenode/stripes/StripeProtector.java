package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for replicas of what deletions and changes left of stripes: at once where a call told of it,
 * and looking at all stripes now and then. On a thread of its own, which waits for no disk.
 */
public final class StripeProtector {
  private static final Logger LOG = LoggerFactory.getLogger(StripeProtector.class);
  private static final long FIRST_MILLIS = 1000;
  private static final long SCAN_MILLIS = 10_000;

  /** Looking at all stripes takes at most this part of the time. */
  private static final long SCAN_SHARE = 20;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Raiser raiser;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread protector = new Thread(task, "braid-stripe-protector");
            protector.setDaemon(true);
            return protector;
          });

  /** When all were looked at last, and how long that took; the thread's own. */
  private long looked;

  private long took;

  /** A protector that is not started. */
  public StripeProtector(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
    this.raiser = new Raiser(host, index);
  }

  /** Begins to look. */
  public void start() {
    lookAfter(FIRST_MILLIS);
  }

  private void lookAfter(long millis) {
    try {
      Future<?> unused = thread.schedule(this::look, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("closed meanwhile", e);
    }
  }

  private void look() {
    lookAfter(Math.max(SCAN_MILLIS, SCAN_SHARE * once()));
  }

  /** Looks at all stripes; returns how long that took, in milliseconds. */
  private long once() {
    long begun = Time.monotonicNow();
    try {
      if (host.decides()) {
        index.ensure();
        raiser.protectThinned();
      }
    } catch (IOException | RuntimeException e) {
      if (!thread.isShutdown()) {
        LOG.warn("what deletions left of stripes is protected later: {}", e.getMessage(), e);
      }
    }
    looked = Time.monotonicNow();
    took = looked - begun;
    return took;
  }

  /**
   * Tells of stripes that lost some of their data blocks: what is left is protected at once.
   *
   * @param stripes none where it is not known which they are: all are looked at, if that was not
   *     done just before
   */
  public void thinned(Set<String> stripes) {
    try {
      thread.execute(() -> stripes.forEach(this::protect));
      if (stripes.isEmpty()) {
        thread.execute(this::lookSoon);
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("closed meanwhile", e);
    }
  }

  private void lookSoon() {
    if (Time.monotonicNow() - looked >= SCAN_SHARE * took) {
      once();
    }
  }

  private void protect(String stripe) {
    try {
      raiser.protect(stripe);
    } catch (IOException | RuntimeException e) {
      LOG.warn("stripe {} is protected later: {}", stripe, e.getMessage());
    }
  }

  /** Looks no more. */
  public void close() {
    thread.shutdownNow();
  }
}
