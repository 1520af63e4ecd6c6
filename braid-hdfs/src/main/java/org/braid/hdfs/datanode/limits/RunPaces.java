package org.braid.hdfs.datanode.limits;

import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.braid.engine.Pace;
import org.braid.engine.TokenBucket;

/**
 * The rates of runs on this worker, which may change while they run. A part of a run is a fragment
 * or a verification of a replica. A rate that arrives before its run is kept. Thread-safe.
 */
public final class RunPaces {
  private static final int MAX_EARLY = 1024;
  private static final int LEAST_PIECE = 4 << 10;
  private static final int PIECES_A_SECOND = 8;

  /**
   * Whoever stops runs breaks them off. One that stands still for longer was left, as by a process
   * that was killed meanwhile: it would keep its thread and buffers for ever.
   */
  private static final long LEFT_SECONDS = 120;

  private static final double FREE = Double.POSITIVE_INFINITY;

  private final LongSupplier nanos;
  private final Map<String, Set<Held>> held = new HashMap<>();
  private final Map<String, Double> told =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Double> eldest) {
          return size() > MAX_EARLY;
        }
      };

  /** Uses the system's clock. */
  public RunPaces() {
    this(System::nanoTime);
  }

  /** Uses a clock in nanoseconds. */
  RunPaces(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The pace of a part of a run, until it is closed. */
  public final class Held implements Pace, AutoCloseable {
    private final String run;
    private final TokenBucket bucket;
    private boolean cancelled;
    private long steps;

    private Held(String run, double rate) {
      this.run = run;
      bucket = new TokenBucket(rate, nanos.getAsLong());
    }

    /** Bytes to take at once at the present rate, so that there are no bursts. */
    public int piece(int most) {
      synchronized (RunPaces.this) {
        return (int) Math.min(most, Math.max(LEAST_PIECE, bucket.rate() / PIECES_A_SECOND));
      }
    }

    @Override
    public void await(int bytes) throws InterruptedIOException {
      synchronized (RunPaces.this) {
        steps++;
        long now = nanos.getAsLong();
        long moving = now;
        long wait = bucket.take(bytes, now);
        while (wait > 0) {
          steps++;
          if (cancelled) {
            throw new InterruptedIOException("run " + run + " was cancelled");
          }
          if (wait < Long.MAX_VALUE) {
            moving = now;
          } else if (now - moving >= TimeUnit.SECONDS.toNanos(LEFT_SECONDS)) {
            throw new InterruptedIOException(
                "run " + run + " was stopped, and not broken off for " + LEFT_SECONDS + " s");
          }
          try {
            // Woken when the rate changes.
            TimeUnit.NANOSECONDS.timedWait(
                RunPaces.this, Math.min(wait, TimeUnit.SECONDS.toNanos(1)));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while it was held back");
          }
          now = nanos.getAsLong();
          wait = bucket.take(bytes, now);
        }
      }
    }

    @Override
    public void close() {
      synchronized (RunPaces.this) {
        Set<Held> others = held.get(run);
        if (others != null && others.remove(this) && others.isEmpty()) {
          held.remove(run);
        }
      }
    }
  }

  /**
   * Begins a part of a run.
   *
   * @param rate bytes a second of each value, unless {@link #change} has set another rate; empty
   *     for no limit
   */
  public synchronized Held begin(String run, OptionalDouble rate) {
    Double known = told.get(run);
    Held pace = new Held(run, known != null ? known : rate.orElse(FREE));
    held.computeIfAbsent(run, x -> new HashSet<>()).add(pace);
    return pace;
  }

  /**
   * Changes the rate of a run, including parts that have not begun yet.
   *
   * @param rate bytes a second of each value; empty for no limit
   */
  public synchronized void change(String run, OptionalDouble rate) {
    double changed = rate.orElse(FREE);
    told.remove(run);
    told.put(run, changed);
    Set<Held> parts = held.get(run);
    if (parts != null) {
      long now = nanos.getAsLong();
      parts.forEach(part -> part.bucket.rate(changed, now));
      notifyAll();
    }
  }

  /** A number that changes while a run progresses here, or is held back by its rate. */
  public synchronized long progress(String run) {
    return held.getOrDefault(run, Set.of()).stream().mapToLong(part -> 1 + part.steps).sum();
  }

  /** Fails the parts of a run that are held back, now or later. */
  public synchronized void cancel(String run) {
    Set<Held> parts = held.get(run);
    if (parts != null) {
      parts.forEach(part -> part.cancelled = true);
      notifyAll();
    }
  }

  /** Sum of the rates of all parts of runs here, without unlimited ones, in bytes a second. */
  public synchronized long limited() {
    return (long)
        held.values().stream()
            .flatMap(Set::stream)
            .mapToDouble(part -> part.bucket.rate())
            .filter(rate -> !Double.isInfinite(rate))
            .sum();
  }
}
