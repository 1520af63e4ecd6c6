package org.braid.hdfs.coordinator.throttle;

import java.util.List;
import org.braid.hdfs.stripe.Datanode;
import org.jspecify.annotations.Nullable;

/** The right of one plan, or of one read of a block, to move bytes at a rate that may change. */
public final class Grant {
  /** A slice takes this part of a second at least, so that links have no bursts. */
  private static final double SLICES_A_SECOND = 8;

  /**
   * A slice that takes longer would let streams time out: the plan begins anew with smaller ones.
   */
  private static final double LONGEST_SLICE_SECONDS = 20;

  private static final int LEAST_SLICE = 512;

  /** A plan that takes longer at its rate is broken off when the work is given up. */
  private static final long SOON_MILLIS = 10_000;

  private final Throttles throttles;
  private final long number;
  private final Background work;
  private double used = Double.POSITIVE_INFINITY;
  private int slice;
  private @Nullable Run run;
  private boolean brokenOff;
  private boolean interrupts;

  /** What runs on a grant: its name, at which nodes, and how it is broken off. */
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

  /** The rate to begin with, in bytes of each value a second; infinite: no limit. */
  public double rate() {
    synchronized (throttles) {
      used = throttles.granted(this);
      return used;
    }
  }

  /** The bytes of a slice at that rate. */
  public int slice(int wanted) {
    synchronized (throttles) {
      double fit = Double.isInfinite(used) ? wanted : used / SLICES_A_SECOND;
      int whole = (int) Math.min(wanted, fit) / LEAST_SLICE * LEAST_SLICE;
      slice = fit >= wanted ? wanted : Math.min(wanted, Math.max(LEAST_SLICE, whole));
      return slice;
    }
  }

  /**
   * What begins now; to be called before it does, so that it is told of changes.
   *
   * @param breakOff has it end as soon as can be
   */
  public void begins(String name, List<Datanode> nodes, Runnable breakOff) {
    synchronized (throttles) {
      run = new Run(name, nodes, breakOff);
      throttles.begun(this);
    }
  }

  /** The same of a call that this thread waits for, and that an interrupt ends. */
  public void begins(String name, List<Datanode> nodes) {
    interrupts = true;
    begins(name, nodes, Thread.currentThread()::interrupt);
  }

  /** After its end: an interrupt that was meant for it alone is none any more. */
  void clear() {
    if (interrupts && isBrokenOff()) {
      var unused = Thread.interrupted();
    }
  }

  /** Whether it was broken off to be begun anew, or to be left to later. */
  public boolean isBrokenOff() {
    synchronized (throttles) {
      return brokenOff;
    }
  }

  /** It did not end well when it was broken off: it must not begin anew. */
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

  /** Whether it runs, and at a rate its slices take too long. */
  boolean stallsAt(double rate) {
    return run != null
        && (rate == 0 || (slice > LEAST_SLICE && slice > rate * LONGEST_SLICE_SECONDS));
  }

  /** Whether it runs and takes long at a rate, so that others need not wait for it. */
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
