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

/** The policies that hold, looked at every now and then. Thread-safe. */
public final class CurrentPolicies {
  private static final long LOOK_MILLIS = 1000;

  /** Somebody may have paused work: scrubs can wait, the repair of lost blocks cannot. */
  private static final PolicyDocument UNKNOWN =
      PolicyDocument.NONE.pausing(Pausable.SCRUB, Instant.MAX);

  private final PolicyStore store;
  private final InstantSource clock;
  private final Ticker ticker;

  /** Held while they are read: whoever comes meanwhile goes by what was known before. */
  private final ReentrantLock reading = new ReentrantLock();

  /** Whether the first attempt at reading them has ended: before it nothing is known. */
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

  /** The clock by which they are carried out. */
  InstantSource clock() {
    return clock;
  }

  /** What was imported of reads. */
  ReadStore reads() {
    return store.reads();
  }

  /**
   * What holds; nothing while it cannot be read, but pauses stay. Scrubs are paused until it was
   * read once. To read them from a NameNode that is away may take minutes, for which one waits, and
   * all do the first time: else work would begin that somebody has paused. An interrupt ends that.
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

  /** Takes the lock once the first attempt has ended; not, when this thread is interrupted. */
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

  /** The file of what holds; another one after each change. */
  String file() {
    return file;
  }

  /** Why nothing can be read; empty when it can. */
  String problem() {
    return problem;
  }
}
