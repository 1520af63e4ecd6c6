package org.braid.hdfs.coordinator.throttle;

import java.util.List;
import org.braid.hdfs.stripe.Datanode;
import org.jspecify.annotations.Nullable;

/** The right of one plan, or of one read of a block, to move bytes at a rate that may change. */
public final class Grant {
  /**
   * Slices a second at the granted rate, which limits the size of a slice so that links have no
   * bursts.
   */
  private static final double SLICES_A_SECOND = 8;

  /**
   * Longest time of a slice; with slower ones, streams would time out, so that the plan begins anew
   * with smaller slices.
   */
  private static final double LONGEST_SLICE_SECONDS = 20;

  private static final int LEAST_SLICE = 512;

  /** A plan that takes longer than this at its rate is broken off when the work is given up. */
  private static final long SOON_MILLIS = 10_000;

  private final Throttles throttles;
  private final long number;
  private final Background work;
  private double used = Double.POSITIVE_INFINITY;
  private int slice;
  private @Nullable Run run;
  private boolean brokenOff;
  private boolean interrupts;

  /** The run of a grant: its name, its nodes, and how to break it off. */
  record Run(String name, List<Datanode> nodes, Runnable breakOff) {}

  Grant(Throttles throttles, long number, Background work) {
    this.throttles = throttles;
    this.number = number;
    this.work = work;
  }

  long number() {
    return number;
  }

  Background work() {
    return work;
  }

  /** The initial rate, in bytes of each value a second; infinite: no limit. */
  public double rate() {
    synchronized (throttles) {
      used = throttles.granted(this);
      return used;
    }
  }

  /** The bytes of a slice at the initial rate. */
  public int slice(int wanted) {
    synchronized (throttles) {
      double fit = Double.isInfinite(used) ? wanted : used / SLICES_A_SECOND;
      int whole = (int) Math.min(wanted, fit) / LEAST_SLICE * LEAST_SLICE;
      slice = fit >= wanted ? wanted : Math.min(wanted, Math.max(LEAST_SLICE, whole));
      return slice;
    }
  }

  /**
   * Announces a run before it begins, so that it is told of changes of its rate.
   *
   * @param breakOff makes the run end as soon as possible
   */
  public void begins(String name, List<Datanode> nodes, Runnable breakOff) {
    synchronized (throttles) {
      run = new Run(name, nodes, breakOff);
      throttles.begun(this);
    }
  }

  /** Announces a call that this thread waits for, and that an interrupt ends. */
  public void begins(String name, List<Datanode> nodes) {
    interrupts = true;
    begins(name, nodes, Thread.currentThread()::interrupt);
  }

  /** Clears an interrupt that was meant to end the run; called after its end. */
  void clear() {
    if (interrupts && isBrokenOff()) {
      var unused = Thread.interrupted();
    }
  }

  /** Whether the run was broken off in order to begin anew or to be postponed. */
  public boolean isBrokenOff() {
    synchronized (throttles) {
      return brokenOff;
    }
  }

  /** Notes that the run failed when it was broken off and must not begin anew. */
  public void fail() {
    synchronized (throttles) {
      brokenOff = false;
    }
  }

  @Nullable Run run() {
    return run;
  }

  double used() {
    return used;
  }

  void used(double rate) {
    used = rate;
  }

  /** Whether it runs and its slices would take too long at a rate. */
  boolean stallsAt(double rate) {
    return run != null
        && (rate == 0 || (slice > LEAST_SLICE && slice > rate * LONGEST_SLICE_SECONDS));
  }

  /** Whether it runs and would take long at a rate, so that other work need not wait for it. */
  boolean lastsAt(double rate, long leftMillis) {
    return run != null && !Double.isInfinite(rate) && leftMillis > SOON_MILLIS;
  }

  void breakOff() {
    if (!brokenOff && run != null) {
      brokenOff = true;
      run.breakOff().run();
    }
  }
}
