package org.braid.hdfs.coordinator.repair;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;

/**
 * Lists stripes page by page on its own thread, no faster than they are taken, so that repair of
 * the first stripes overlaps with the listing of others.
 */
final class StripeListing implements Closeable {
  private static final int PAGES = 2;
  private static final long OFFER_MILLIS = 100;
  private static final long CLOSE_MILLIS = 2000;

  /** Lists stripes. */
  interface Lister {
    /** Passes on pages until there are no more, or the receiver is full. */
    void list(Page<StripeStatus> pages) throws IOException;
  }

  private final BlockingQueue<List<StripeStatus>> pages = new ArrayBlockingQueue<>(PAGES);
  private final @Nullable Thread thread;
  private volatile boolean closed;
  private volatile boolean done;
  private volatile @Nullable Throwable failure;
  private volatile long nanos;

  private StripeListing(Lister lister) {
    thread = DaemonThreads.of("braid-listing", () -> run(lister));
  }

  private StripeListing(List<StripeStatus> stripes) {
    thread = null;
    pages.add(stripes);
    done = true;
  }

  /** Begins to list. */
  static StripeListing begin(Lister lister) {
    StripeListing listing = new StripeListing(lister);
    if (listing.thread != null) {
      listing.thread.start();
    }
    return listing;
  }

  /** Lists in the caller's thread, for few stripes. */
  static StripeListing at(Lister lister) throws IOException {
    List<StripeStatus> stripes = new ArrayList<>();
    lister.list(stripes::addAll);
    return new StripeListing(stripes);
  }

  private void run(Lister lister) {
    long begun = System.nanoTime();
    long[] waited = new long[1];
    try {
      lister.list(
          Page.until(
              () -> closed,
              page -> {
                long since = System.nanoTime();
                give(page);
                waited[0] += System.nanoTime() - since;
              }));
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    } finally {
      nanos = System.nanoTime() - begun - waited[0];
      done = true;
      var unused = pages.offer(List.of()); // wakes whoever waits for another page
    }
  }

  private void give(List<StripeStatus> page) throws IOException {
    try {
      boolean given = page.isEmpty();
      while (!given && !closed) {
        given = pages.offer(page, OFFER_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted while stripes were listed");
    }
  }

  /**
   * The next stripes.
   *
   * @param millis how long to wait for them
   * @return empty when there is no page yet, or no more; the last one may be without stripes
   */
  Optional<List<StripeStatus>> next(long millis) throws IOException {
    try {
      return Optional.ofNullable(pages.poll(done ? 0 : millis, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while stripes were listed");
    }
  }

  /** Whether all stripes were taken. */
  boolean ended() {
    return done && pages.isEmpty();
  }

  /** Milliseconds that the listing took without the waits for its receiver; 0 before its end. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /**
   * Checks that all stripes were listed.
   *
   * @throws IOException the failure of the listing
   */
  void check() throws IOException {
    Throwable thrown = failure;
    if (thrown instanceof IOException io) {
      throw io;
    } else if (thrown instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (thrown instanceof Error error) {
      throw error;
    }
  }

  @Override
  public void close() {
    closed = true;
    if (thread == null) {
      return;
    }
    try {
      thread.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
