package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.braid.hdfs.time.Ticker;
import org.braid.hdfs.time.WaitTimes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one thread at a time change a stripe: a repair for a reader may meet another repair or the
 * conversion of the same stripe, and two commands may work on files of one stripe. Thread-safe.
 */
public final class Claims {
  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);
  private static final long ASK_MILLIS = 200;

  /** Claims among coordinators that work side by side. */
  public interface Shared {
    /**
     * Claims a stripe.
     *
     * @param number the number of the claim; later claims have higher numbers
     * @return empty when it is granted; else its holder
     */
    Optional<String> claim(String stripe, long number) throws IOException;

    /** Releases a claim, but none with a higher number. */
    void unclaim(String stripe, long number) throws IOException;

    /** Claims of a coordinator that works alone. */
    static Shared alone() {
      return new Shared() {
        @Override
        public Optional<String> claim(String stripe, long number) {
          return Optional.empty();
        }

        @Override
        public void unclaim(String stripe, long number) {}
      };
    }

    /** Claims that the NameNode keeps under a lease. */
    static Shared under(NameNodeLeases leases, String lease) {
      return new Shared() {
        @Override
        public Optional<String> claim(String stripe, long number) throws IOException {
          return leases.claim(lease, stripe, number);
        }

        @Override
        public void unclaim(String stripe, long number) throws IOException {
          leases.unclaim(lease, stripe, number);
        }
      };
    }
  }

  /** Numbers of claims, one sequence for the process, as its sessions may share a lease. */
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final Set<String> taken = new HashSet<>();

  /** Claims to release as soon as the NameNode answers, with their numbers. */
  private final Map<String, Long> leftOver = new HashMap<>();

  /** Times of waits for stripes that other coordinators hold. */
  private final WaitTimes waits;

  private final Shared shared;
  private final Ticker ticker;

  public Claims(Shared shared, Ticker ticker) {
    this.shared = shared;
    this.ticker = ticker;
    waits = new WaitTimes(ticker);
  }

  /** The right to change a stripe, until it is closed. */
  public final class Claim implements AutoCloseable {
    private final String stripe;
    private final long number;

    private Claim(String stripe, long number) {
      this.stripe = stripe;
      this.number = number;
    }

    @Override
    public void close() {
      release(stripe, number);
      leave(stripe);
    }
  }

  /**
   * Claims a stripe, after waiting for its holder. No sweep deletes staged files of a claimed
   * stripe.
   */
  public Claim take(String stripe) throws IOException {
    enter(stripe);
    return claimed(stripe, Long.MAX_VALUE).orElseThrow();
  }

  /** Claims a stripe; empty when its holder still has it after the given time. */
  public Optional<Claim> take(String stripe, long millis) throws IOException {
    long end = ticker.millis() + millis;
    while (!tryEnter(stripe)) {
      if (ticker.millis() >= end) {
        return Optional.empty();
      }
      Waiting.pause(ASK_MILLIS, ticker);
    }
    return claimed(stripe, end);
  }

  private Optional<Claim> claimed(String stripe, long end) throws IOException {
    long number = NUMBERS.incrementAndGet();
    boolean done = false;
    try {
      done = claim(stripe, number, end);
      return done ? Optional.of(new Claim(stripe, number)) : Optional.empty();
    } finally {
      if (!done) {
        release(stripe, number); // it may be granted all the same
        leave(stripe);
      }
    }
  }

  /** How long the current change of a stripe waited for other coordinators that changed it. */
  public long waitedMillis(String stripe) {
    return waits.millis(stripe);
  }

  /** Releases the claims whose release failed earlier; called from time to time. */
  public void tidy() {
    Set<String> stripes;
    synchronized (this) {
      stripes = Set.copyOf(leftOver.keySet());
    }
    for (String stripe : stripes) {
      Optional<Long> number = enterLeftOver(stripe);
      if (number.isPresent()) {
        release(stripe, number.get());
        leave(stripe);
      }
    }
  }

  /** The number of a claim whose release failed; empty when the current holder will release it. */
  private synchronized Optional<Long> enterLeftOver(String stripe) {
    return Optional.ofNullable(leftOver.get(stripe)).filter(unused -> taken.add(stripe));
  }

  /** Waits for other threads of this process. */
  private synchronized void enter(String stripe) throws InterruptedIOException {
    while (!taken.add(stripe)) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for stripe " + stripe);
      }
    }
  }

  private synchronized boolean tryEnter(String stripe) {
    return taken.add(stripe);
  }

  private synchronized void leave(String stripe) {
    waits.forget(stripe);
    taken.remove(stripe);
    notifyAll();
  }

  /** Waits for other coordinators; returns false when one still has the stripe. */
  private boolean claim(String stripe, long number, long end) throws IOException {
    Optional<String> holder = shared.claim(stripe, number);
    if (holder.isEmpty()) {
      return true;
    }
    LOG.info("stripe {} is being changed by {}: waiting", stripe, holder.get());
    waits.begin(stripe);
    while (holder.isPresent()) {
      if (ticker.millis() >= end) {
        return false;
      }
      Waiting.pause(ASK_MILLIS, ticker);
      holder = shared.claim(stripe, number);
    }
    waits.end(stripe);
    return true;
  }

  /**
   * Releases a claim. Clears an interrupt for the time of the call, which would not be sent
   * otherwise.
   */
  private void release(String stripe, long number) {
    boolean interrupted = Thread.interrupted();
    boolean done = false;
    try {
      shared.unclaim(stripe, number);
      done = true;
    } catch (IOException e) {
      LOG.info("stripe {} stays claimed for now: {}", stripe, e.getMessage());
    } finally {
      synchronized (this) {
        if (done) {
          leftOver.remove(stripe);
        } else {
          leftOver.put(stripe, number);
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
