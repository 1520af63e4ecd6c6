package org.braid.hdfs.coordinator.session;

import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Lets one thread at a time change a stripe: a reader's demand may meet the repair or the
 * conversion of the same stripe. Thread-safe.
 */
public final class Claims {
  private final Set<String> taken = new HashSet<>();

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
      synchronized (Claims.this) {
        taken.remove(stripe);
        Claims.this.notifyAll();
      }
    }
  }

  /** Takes a stripe as soon as nobody else has it. */
  public synchronized Claim take(String stripe) throws InterruptedIOException {
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
    return new Claim(stripe, waited);
  }
}
