package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.coordinator.session.Parallel;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.manage.RepairJob;
import org.braid.thread.DaemonThreads;

/** The threads that repair stripes. One thread starts repairs and takes their ends. */
final class RepairThreads {
  /** Time for repairs that are broken off to end. */
  private static final long STOP_SECONDS = 5;

  /** Most stripes at a time whose rebuilt blocks are finished after failed attempts. */
  private static final int MOST_FINISHING = 4;

  private final Map<RepairJob, Thread> repairs = new HashMap<>();
  private final Map<String, Thread> finishing = new HashMap<>();
  private final Map<String, Parallel.Task> toFinish = new LinkedHashMap<>();
  private final Set<RepairJob> late = new HashSet<>();
  private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();

  /**
   * The work on a stripe has ended.
   *
   * @param job empty when it only finished the blocks that failed attempts had rebuilt
   * @param failure why it failed
   * @param late whether it was stopped because it took too long
   */
  record Ended(String stripe, Optional<RepairJob> job, Optional<Throwable> failure, boolean late) {}

  /** Begins a repair. */
  void repair(RepairJob job, Parallel.Task task) {
    repairs.put(job, begin(job.repair().stripe().id(), Optional.of(job), task));
  }

  /** Finishes the blocks of a stripe that failed attempts rebuilt, when its turn comes. */
  void finish(String stripe, Parallel.Task task) {
    toFinish.put(stripe, task);
    beginToFinish();
  }

  /** Whether a stripe is being finished or waits for it. */
  boolean finishes(String stripe) {
    return toFinish.containsKey(stripe) || finishing.containsKey(stripe);
  }

  private void beginToFinish() {
    var next = toFinish.entrySet().iterator();
    while (next.hasNext() && finishing.size() < MOST_FINISHING) {
      Map.Entry<String, Parallel.Task> entry = next.next();
      next.remove();
      finishing.put(entry.getKey(), begin(entry.getKey(), Optional.empty(), entry.getValue()));
    }
  }

  private Thread begin(String stripe, Optional<RepairJob> job, Parallel.Task task) {
    Thread thread =
        DaemonThreads.of(
            "braid-repair",
            () -> {
              Optional<Throwable> failure = Optional.empty();
              try {
                task.run();
              } catch (IOException | RuntimeException | Error e) {
                failure = Optional.of(e);
              }
              ended.add(new Ended(stripe, job, failure, false));
            });
    thread.start();
    return thread;
  }

  /** Whether nothing runs. */
  boolean isIdle() {
    return repairs.isEmpty() && finishing.isEmpty();
  }

  /** The repairs that run. */
  Set<RepairJob> repairs() {
    return repairs.keySet();
  }

  /** Waits for the next end, at most for the given time; for all of it when nothing runs. */
  Optional<Ended> await(Ticker ticker, long millis) throws InterruptedIOException {
    try {
      if (isIdle()) {
        ticker.sleep(millis);
        return Optional.empty();
      }
      return Optional.ofNullable(ticker.poll(ended, millis)).map(this::remove);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while stripes were repaired");
    }
  }

  private Ended remove(Ended end) {
    if (end.job().isEmpty()) {
      finishing.remove(end.stripe());
      beginToFinish();
      return end;
    }
    repairs.remove(end.job().get());
    return new Ended(end.stripe(), end.job(), end.failure(), late.remove(end.job().get()));
  }

  /** Stops a repair that takes too long; returns false when it was stopped before. */
  boolean stop(RepairJob job) {
    boolean first = late.add(job);
    if (first) {
      Objects.requireNonNull(repairs.get(job)).interrupt();
    }
    return first;
  }

  /** Stops all running work. */
  void stopAll() {
    List<Thread> threads = new ArrayList<>(repairs.values());
    threads.addAll(finishing.values());
    boolean interrupted = Thread.interrupted(); // they are given a moment to clean up all the same
    threads.forEach(Thread::interrupt);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
