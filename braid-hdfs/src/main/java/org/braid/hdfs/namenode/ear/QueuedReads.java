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
 * What is read in the background, one thing after the other. Of each subject one reading waits: the
 * last that was asked for takes the place of an earlier one. More subjects than have places are put
 * off: whoever asks is told, and asks again when it is needed. Thread-safe.
 *
 * @param <K> the subjects
 */
final class QueuedReads<K> implements Closeable {
  private final Shares places;
  private final Executor thread;
  private final Consumer<K> log;
  private final Map<K, Waiting> waiting = new LinkedHashMap<>();
  private boolean said;

  private record Waiting(String user, Runnable reading) {}

  /**
   * Nothing is read.
   *
   * @param places of subjects that wait
   * @param name of the thread that reads
   * @param log is told what is put off, and of nothing more until all that waits was read
   */
  QueuedReads(Shares places, String name, Consumer<K> log) {
    this(places, Executors.newSingleThreadExecutor(DaemonThreads.named(name)), log);
  }

  /**
   * The same in another thread.
   *
   * @param thread reads, and holds as many tasks as there are places
   */
  QueuedReads(Shares places, Executor thread, Consumer<K> log) {
    this.places = places;
    this.thread = thread;
    this.log = log;
  }

  /**
   * Has a subject read.
   *
   * @param user whose place it takes, where it does not wait already
   * @throws RejectedExecutionException when that is put off
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
