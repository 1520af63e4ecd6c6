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
 * Lets one thread at a time change a stripe: a reader's demand may meet the repair or the
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
     * @param number of the claim, the later the higher
     * @return empty when it is granted; else who has it
     */
    Optional<String> claim(String stripe, long number) throws IOException;

    /** Gives a claim back, but none with a higher number. */
    void unclaim(String stripe, long number) throws IOException;

    /** Those of a coordinator that nobody works beside. */
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

    /** Those that the NameNode keeps under a lease. */
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

  /** Of claims; the sessions of a process may share a lease. */
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final Set<String> taken = new HashSet<>();

  /** Claims that are given back as soon as the NameNode answers, with their numbers. */
  private final Map<String, Long> leftOver = new HashMap<>();

  /** Waits for stripes of other coordinators, until the stripe is given back. */
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

  /** Takes a stripe as soon as nobody else has it; what is staged for a new one stays meanwhile. */
  public Claim take(String stripe) throws IOException {
    enter(stripe);
    return claimed(stripe, Long.MAX_VALUE).orElseThrow();
  }

  /** The same; empty when somebody has it still after some time. */
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

  /** For how long whoever changes a stripe has waited for another coordinator that changed it. */
  public long waitedMillis(String stripe) {
    return waits.millis(stripe);
  }

  /** Gives back what could not be given back when it was to be; to be called now and then. */
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

  /** The number of what was not given back; empty where whoever has the stripe will do so. */
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

  /** Waits for other coordinators; false when one has it still. */
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

  /** Gives a claim back, also on a thread that is interrupted: the call would not be sent. */
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
