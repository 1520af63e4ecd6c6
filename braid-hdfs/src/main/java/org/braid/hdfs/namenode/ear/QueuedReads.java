package org.braid.hdfs.namenode.ear;

import java.io.Closeable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.thread.DaemonThreads;

/**
 * Background reads, one after the other. Of each subject at most one read waits: a newer request
 * replaces an older one. Requests beyond the places are rejected: the caller asks again when it
 * needs the read. Thread-safe.
 *
 * @param <K> subjects
 */
final class QueuedReads<K> implements Closeable {
  private final Shares places;
  private final Executor thread;
  private final Consumer<K> log;
  private final Map<K, Waiting> waiting = new LinkedHashMap<>();
  private boolean said;

  private record Waiting(String user, Runnable reading) {}

  /**
   * Starts without reads.
   *
   * @param places places for waiting subjects
   * @param name name of the reading thread
   * @param log gets the first rejected subject, and again one after no read waits any more
   */
  QueuedReads(Shares places, String name, Consumer<K> log) {
    this(places, Executors.newSingleThreadExecutor(DaemonThreads.named(name)), log);
  }

  /**
   * Starts without reads, on the given thread.
   *
   * @param thread runs the reads; queues as many tasks as there are places
   */
  QueuedReads(Shares places, Executor thread, Consumer<K> log) {
    this.places = places;
    this.thread = thread;
    this.log = log;
  }

  /**
   * Requests a read of a subject.
   *
   * @param user user whose place the read takes, unless the subject waits already
   * @throws RejectedExecutionException when there is no place
   */
  synchronized void read(K subject, String user, Runnable reading) {
    Waiting before = waiting.get(subject);
    if (before != null) {
      waiting.put(subject, new Waiting(before.user, reading));
      return;
    }
    if (!places.take(user)) {
      if (!said) {
        said = true;
        log.accept(subject);
      }
      throw new RejectedExecutionException(waiting.size() + " readings wait");
    }
    waiting.put(subject, new Waiting(user, reading));
    boolean begun = false;
    try {
      thread.execute(this::next);
      begun = true;
    } finally {
      if (!begun) {
        waiting.remove(subject);
        places.giveBack(user);
      }
    }
  }

  private void next() {
    Waiting next;
    synchronized (this) {
      Iterator<Waiting> first = waiting.values().iterator();
      next = first.next();
      first.remove();
      places.giveBack(next.user);
      said &= !waiting.isEmpty();
    }
    next.reading.run();
  }

  /** Ends reading. */
  @Override
  public void close() {
    if (thread instanceof ExecutorService service) {
      service.shutdownNow();
    }
  }
}
