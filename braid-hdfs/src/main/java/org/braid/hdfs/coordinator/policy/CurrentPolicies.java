package org.braid.hdfs.coordinator.policy;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.time.Ticker;

/** The policies in force, read again from time to time. Thread-safe. */
public final class CurrentPolicies {
  private static final long LOOK_MILLIS = 1000;

  /**
   * Stands for policies that were never read and may contain pauses: scrubs wait, the repair of
   * lost blocks does not.
   */
  private static final PolicyDocument UNKNOWN =
      PolicyDocument.NONE.pausing(Pausable.SCRUB, Instant.MAX);

  private final PolicyStore store;
  private final InstantSource clock;
  private final Ticker ticker;

  /** Held while the policies are read; other threads use the previous ones meanwhile. */
  private final ReentrantLock reading = new ReentrantLock();

  /** Whether the first attempt at reading the policies has ended. */
  private volatile boolean tried;

  private long next;
  private volatile String file = "";
  private volatile String problem = "";
  private boolean known;
  private volatile PolicyDocument document = UNKNOWN;

  public CurrentPolicies(PolicyStore store, InstantSource clock, Ticker ticker) {
    this.store = store;
    this.clock = clock;
    this.ticker = ticker;
    next = ticker.millis();
  }

  /** The clock by which the policies are carried out. */
  InstantSource clock() {
    return clock;
  }

  /** The store of imported reads. */
  ReadStore reads() {
    return store.reads();
  }

  /**
   * Returns the policies in force. While they cannot be read there are no policies, but pauses
   * stay, and scrubs are paused until they were read once. One thread waits for a NameNode that
   * does not answer, which may take minutes; at the first time all threads wait, as work may be
   * paused. An interrupt ends the wait.
   */
  public PolicyDocument now() {
    if (!reading.tryLock() && (tried || !awaitsFirst())) {
      return document;
    }
    try {
      if (ticker.millis() >= next) {
        read();
      }
      return document;
    } finally {
      tried = true;
      reading.unlock();
    }
  }

  /**
   * Takes the lock once the first attempt has ended; returns false when this thread is interrupted.
   */
  private boolean awaitsFirst() {
    try {
      reading.lockInterruptibly();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void read() {
    next = ticker.millis() + LOOK_MILLIS;
    try {
      Optional<String> current = store.currentFile();
      if (!known || !current.orElse("").equals(file) || !problem.isEmpty()) {
        document = store.current();
        file = current.orElse("");
        known = true;
      }
      problem = "";
    } catch (RefusedException e) {
      fail(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      // HDFS does not answer: what holds is not known, so that nothing is done.
      fail("the policies cannot be read, and no policy is carried out: " + e.getMessage());
    }
  }

  private void fail(String why) {
    problem = known ? why : why + "; pauses are not known: repair goes on, and scrubs wait";
    document = document.with(PolicySet.NONE);
  }

  /** The file of the policies in force; each change has a new file. */
  String file() {
    return file;
  }

  /** Why the policies cannot be read; empty when they can. */
  String problem() {
    return problem;
  }
}
