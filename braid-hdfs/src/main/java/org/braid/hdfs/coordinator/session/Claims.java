package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.braid.hdfs.time.Ticker;
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
     * @return empty when it is granted; else who has it
     */
    Optional<String> claim(String stripe) throws IOException;

    /** Gives a claim back. */
    void unclaim(String stripe) throws IOException;

    /** Those of a coordinator that nobody works beside. */
    static Shared alone() {
      return new Shared() {
        @Override
        public Optional<String> claim(String stripe) {
          return Optional.empty();
        }

        @Override
        public void unclaim(String stripe) {}
      };
    }

    /** Those that the NameNode keeps under a lease. */
    static Shared under(NameNodeLeases leases, String lease) {
      return new Shared() {
        @Override
        public Optional<String> claim(String stripe) throws IOException {
          return leases.claim(lease, stripe);
        }

        @Override
        public void unclaim(String stripe) throws IOException {
          leases.unclaim(lease, stripe);
        }
      };
    }
  }

  private final Set<String> taken = new HashSet<>();
  private final Shared shared;
  private final Ticker ticker;

  public Claims(Shared shared, Ticker ticker) {
    this.shared = shared;
    this.ticker = ticker;
  }

  /** The right to change a stripe, until it is closed. */
  public final class Claim implements AutoCloseable {
    private final String stripe;
    private final boolean waited;

    private Claim(String stripe, boolean waited) {
      this.stripe = stripe;
      this.waited = waited;
    }

    /** Whether somebody else was at work before, so that what was known may be old. */
    public boolean waited() {
      return waited;
    }

    @Override
    public void close() {
      release(stripe);
      leave(stripe);
    }
  }

  /** A stripe that is being made: nobody else knows it, and what is staged for it stays. */
  public final class Making implements AutoCloseable {
    private final String stripe;

    private Making(String stripe) {
      this.stripe = stripe;
    }

    @Override
    public void close() {
      release(stripe);
    }
  }

  /** Takes a stripe as soon as nobody else has it. */
  public Claim take(String stripe) throws IOException {
    boolean waited = enter(stripe);
    try {
      return new Claim(stripe, claim(stripe) || waited);
    } catch (IOException | RuntimeException e) {
      leave(stripe);
      throw e;
    }
  }

  /** Claims a stripe before anything is staged for it. */
  public Making make(String stripe) throws IOException {
    var unused = claim(stripe);
    return new Making(stripe);
  }

  /** Waits for other threads of this process; says whether there were any. */
  private synchronized boolean enter(String stripe) throws InterruptedIOException {
    boolean waited = false;
    while (!taken.add(stripe)) {
      waited = true;
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for stripe " + stripe);
      }
    }
    return waited;
  }

  private synchronized void leave(String stripe) {
    taken.remove(stripe);
    notifyAll();
  }

  /** Waits for other coordinators; says whether there were any. */
  private boolean claim(String stripe) throws IOException {
    boolean waited = false;
    for (Optional<String> holder = shared.claim(stripe);
        holder.isPresent();
        holder = shared.claim(stripe)) {
      if (!waited) {
        LOG.info("stripe {} is being changed by {}: waiting", stripe, holder.get());
      }
      waited = true;
      Waiting.pause(ASK_MILLIS, ticker);
    }
    return waited;
  }

  private void release(String stripe) {
    try {
      shared.unclaim(stripe);
    } catch (IOException e) {
      LOG.info("stripe {} stays claimed until the lease ends: {}", stripe, e.getMessage());
    }
  }
}
