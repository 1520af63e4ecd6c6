package org.braid.hdfs.coordinator.throttle;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.throttle.FairRates.Demand;
import org.braid.plan.throttle.SharedLink;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.Throttle;
import org.braid.plan.throttle.ThrottledRuns;
import org.braid.plan.throttle.ThrottledRuns.Change;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces the throttle on background work. Each plan begins when it has a rate. A thread sends
 * changes of the rate to its workers, reads the throttle every second, and asks workers for the
 * latencies of readers. Thread-safe; its own monitor guards all state.
 */
public final class Throttles implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Throttles.class);

  /** Interval of reading the throttle for display while nothing runs. */
  private static final long WATCH_MILLIS = 10_000;

  private static final long LOOK_MILLIS = 200;

  /** Failed attempts after which a rate counts as sent: the workers end or support no rates. */
  private static final int TRIES = 3;

  private final ThrottleReading reading;
  private final Pacer pacer;
  private final double link;
  private int sharing = 1;
  private final Ticker ticker;
  private final ThrottledRuns runs = new ThrottledRuns();
  private final SlowReaders readers;
  private final MovedBytes moved = new MovedBytes();
  private final ThrottleNotes notes = new ThrottleNotes();
  private final HaltCheck haltCheck = new HaltCheck();
  private final Map<Long, Grant> grants = new LinkedHashMap<>();
  private final Map<String, Integer> hurried = new HashMap<>();
  private final Map<String, Long> held = new HashMap<>();
  private final Map<Long, Integer> failures = new HashMap<>();
  private Consumer<String> journal = change -> LOG.info("{}", change);
  private Throttle throttle;
  private long askedAt;
  private long watchedAt = Long.MIN_VALUE / 2;
  private boolean changed;
  private boolean watched;
  private boolean closed;
  private @Nullable Thread thread;

  /** The source of the throttle. */
  public interface Source {
    /** The throttle in force. */
    Throttle read() throws IOException;

    /** The throttle that holds until one could be read. */
    default Throttle configured() {
      return Throttle.NONE;
    }
  }

  /** Work that runs under a grant. */
  public interface Body<T> {
    /** Runs; a run that is broken off throws, and {@link Grant#isBrokenOff} says so. */
    T run(Grant grant) throws IOException;
  }

  /**
   * Creates the throttles of one cluster.
   *
   * @param link bytes a second of a node's link; its base for a node without a limit that gives way
   *     to readers
   */
  public Throttles(Source source, Pacer pacer, double link, Ticker ticker) {
    reading = new ThrottleReading(source, this::read, ticker);
    this.pacer = pacer;
    this.link = link;
    this.ticker = ticker;
    readers = new SlowReaders(ticker);
    throttle = source.configured();
    runs.limit(throttle, this::capacity);
  }

  /**
   * Runs a plan as fast as the throttle allows, after waiting for a rate. Urgent work is not
   * throttled.
   *
   * @param loads the number of values that it moves over each link
   * @param length bytes of each value
   * @throws GaveWayException when the work is given up before it has ended
   */
  public <T> T run(Background work, Map<SharedLink, Integer> loads, long length, Body<T> body)
      throws IOException {
    while (true) {
      Grant grant = begin(work, loads, length);
      boolean done = false;
      try {
        T result = body.run(grant);
        done = true;
        return result;
      } catch (IOException e) {
        if (!grant.isBrokenOff()) {
          throw e;
        }
        LOG.info("a plan for stripe {} is held back by the throttle", work.stripe());
      } finally {
        end(grant, loads, done ? length : 0);
        grant.clear();
      }
      if (work.halted().getAsBoolean()) {
        throw new GaveWayException();
      }
    }
  }

  private Grant begin(Background work, Map<SharedLink, Integer> loads, long length)
      throws IOException {
    readFirst();
    Grant grant = add(work, loads, length);
    boolean begins = false;
    try {
      // A NameNode that is away may be asked whether work is given up: the lock is not held then.
      for (boolean halted = false; !begins; halted = !begins && work.halted().getAsBoolean()) {
        synchronized (this) {
          begins = granted(grant) > 0;
          if (!begins && (closed || halted)) {
            throw new GaveWayException();
          } else if (!begins) {
            wait(LOOK_MILLIS);
          }
        }
      }
      return grant;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the throttle held a plan back");
    } finally {
      if (!begins) {
        end(grant, loads, 0);
      }
    }
  }

  private synchronized Grant add(Background work, Map<SharedLink, Integer> loads, long length)
      throws IOException {
    start();
    long number = runs.add(new Demand(work.work(), loads), length, ticker.millis());
    Grant grant = new Grant(this, number, work);
    grants.put(number, grant);
    if (work.urgent() || hurried.containsKey(work.stripe())) {
      runs.hurry(number, ticker.millis());
    }
    balance();
    return grant;
  }

  private synchronized void end(Grant grant, Map<SharedLink, Integer> loads, long bytes) {
    long millis = runs.heldMillis(grant.number(), ticker.millis());
    if (millis > 0 && held.containsKey(grant.work().stripe())) {
      held.merge(grant.work().stripe(), millis, Long::sum);
    }
    runs.remove(grant.number());
    grants.remove(grant.number());
    failures.remove(grant.number());
    if (bytes > 0) {
      moved.add(grant.work(), loads, bytes);
    }
    balance();
  }

  /** Raises the rates that may be raised at once; the thread lowers others and sends all. */
  private void balance() {
    var unused = runs.lower();
    if (!runs.raise(ticker.millis()).isEmpty() || throttle.inForce()) {
      changed = true;
      notifyAll();
    }
  }

  /** Makes a run that has begun receive the changes of its rate since the grant. */
  void begun(Grant grant) {
    if (grant.used() != runs.granted(grant.number())) {
      changed = true;
      notifyAll();
    }
  }

  /** The clock of the throttle, for work that waits with it. */
  public Ticker ticker() {
    return ticker;
  }

  double granted(Grant grant) {
    return runs.granted(grant.number());
  }

  /**
   * Makes all work on a stripe urgent until the result is closed, for example because a reader
   * waits for it. Running plans are no longer throttled.
   */
  public synchronized Hurry hurry(String stripe) {
    hurried.merge(stripe, 1, Integer::sum);
    for (Grant grant : grants.values()) {
      if (grant.work().stripe().equals(stripe)) {
        runs.hurry(grant.number(), ticker.millis());
      }
    }
    balance();
    return () -> {
      synchronized (this) {
        hurried.computeIfPresent(stripe, (id, count) -> count == 1 ? null : count - 1);
      }
    };
  }

  /** The urgency of a stripe, which ends when it is closed. */
  public interface Hurry extends AutoCloseable {
    @Override
    void close();
  }

  /** Starts measuring how long plans of a stripe are held back, until {@link #forget}. */
  public synchronized void measure(String stripe) {
    held.put(stripe, 0L);
  }

  /** Stops measuring the plans of a stripe. */
  public synchronized void forget(String stripe) {
    held.remove(stripe);
  }

  /** How long plans of a stripe were held back since {@link #measure}. */
  public synchronized long heldMillis(String stripe) {
    long sum = held.getOrDefault(stripe, 0L);
    for (Grant grant : grants.values()) {
      if (grant.work().stripe().equals(stripe)) {
        sum += runs.heldMillis(grant.number(), ticker.millis());
      }
    }
    return sum;
  }

  /** The throttle in force, as last read. */
  public synchronized Throttle throttle() {
    return throttle;
  }

  /**
   * Reads the throttle from time to time also while nothing runs, for display.
   *
   * @param changes gets one line for each change by an operator
   */
  public synchronized void watch(Consumer<String> changes) throws IOException {
    journal = changes;
    watched = true;
    start();
    notifyAll();
  }

  /** The bytes moved. */
  public MovedBytes moved() {
    return moved;
  }

  /** The nodes that leave only a part of their limits to plans, as their readers are slow. */
  public synchronized Map<String, Double> givingWay() {
    return throttle.latencyTargetMicros() == 0 ? Map.of() : readers.givingWay();
  }

  private void start() throws IOException {
    if (closed) {
      throw new IOException("the connection is closed");
    }
    if (thread == null || !thread.isAlive()) { // it may have had no memory to start
      thread = DaemonThreads.of("braid-throttle", this::keep);
      thread.start();
    }
  }

  private void readFirst() {
    synchronized (this) {
      if (!grants.isEmpty()) {
        return; // the thread reads it
      }
    }
    reading.now();
  }

  private synchronized void read(Optional<Throttle> now, String problem) {
    if (closed) {
      return; // HDFS's client is, too
    }
    if (now.isPresent() && !now.get().equals(throttle)) {
      throttle = now.get();
      changed = true;
      notifyAll();
    }
    runs.limit(throttle, this::capacity);
    boolean holdsBack = grants.keySet().stream().anyMatch(run -> runs.granted(run) == 0);
    ThrottleNotes.Notes told = notes.after(throttle, problem, holdsBack);
    told.warnings().forEach(note -> LOG.warn("{}", note));
    told.changes().forEach(journal);
  }

  /**
   * Shares the limits with coordinators that work on other paths.
   *
   * @param coordinators how many there are, this one included
   */
  public synchronized void share(int coordinators) {
    int parts = Math.max(1, coordinators);
    if (parts != sharing) {
      sharing = parts;
      runs.limit(throttle, this::capacity);
      changed = true;
      notifyAll();
    }
  }

  private double capacity(SharedLink shared) {
    double limit =
        throttle.limit(shared.kind()).isPresent()
            ? (double) throttle.limit(shared.kind()).getAsLong() / sharing
            : Double.POSITIVE_INFINITY;
    if (shared.kind() != Kind.NODE && shared.kind() != Kind.DISK) {
      return limit;
    }
    double part = throttle.latencyTargetMicros() == 0 ? 1 : readers.part(shared.name());
    return part < 1 ? part * Math.min(limit, link / sharing) : limit;
  }

  /** The loop of the thread. */
  private void keep() {
    try {
      while (awaitWork()) {
        Turn.take(
            this::turn,
            e -> LOG.warn("what the throttle allows is not told, again soon: {}", e.toString(), e));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void turn() {
    reading.soon();
    lower();
    raise();
    breakOff();
  }

  private synchronized boolean awaitWork() throws InterruptedException {
    while (!closed && grants.isEmpty()) {
      long left = watched ? watchedAt + WATCH_MILLIS - ticker.millis() : Long.MAX_VALUE;
      if (left <= 0) {
        watchedAt = ticker.millis();
        return true;
      }
      wait(left);
    }
    long until = ticker.millis() + (throttle.inForce() ? LOOK_MILLIS : ThrottleReading.GOOD_MILLIS);
    while (!closed && !changed && ticker.millis() < until) {
      wait(Math.max(1, until - ticker.millis()));
    }
    changed = false;
    return !closed;
  }

  private void lower() {
    Map<Grant, Double> told = new LinkedHashMap<>();
    List<Change> changes;
    synchronized (this) {
      changes = runs.lower();
      for (Change change : changes) {
        Grant grant = grants.get(change.run());
        if (grant == null || grant.run() == null) {
          runs.confirm(change, ticker.millis()); // it has not begun
        } else {
          told.put(grant, change.rate());
        }
      }
    }
    tell(told);
    synchronized (this) {
      for (Change change : changes) {
        Grant grant = grants.get(change.run());
        if (grant != null && told.containsKey(grant) && grant.used() <= change.rate()) {
          runs.confirm(change, ticker.millis());
        }
      }
    }
  }

  private void raise() {
    Map<Grant, Double> told = new LinkedHashMap<>();
    synchronized (this) {
      var unused = runs.raise(ticker.millis());
      boolean ask =
          throttle.latencyTargetMicros() > 0
              && ticker.millis() - askedAt >= ThrottleReading.GOOD_MILLIS;
      if (ask) {
        askedAt = ticker.millis();
      }
      for (Grant grant : grants.values()) {
        double rate = runs.granted(grant.number());
        if (grant.run() != null && rate > 0 && (ask || grant.used() != rate)) {
          told.put(grant, rate);
        }
      }
      notifyAll(); // those that wait for their first rate
    }
    tell(told);
  }

  /** Sends rates to workers and notes what was sent. */
  private void tell(Map<Grant, Double> rates) {
    if (rates.isEmpty()) {
      return;
    }
    List<Long> answered = pacer.tell(rates, this::heard);
    synchronized (this) {
      rates.forEach(
          (grant, rate) -> {
            boolean counts = // one that has ended meanwhile is forgotten
                !grants.containsKey(grant.number())
                    || answered.contains(grant.number())
                    || failures.merge(grant.number(), 1, Integer::sum) >= TRIES;
            if (counts) {
              grant.used(rate);
              failures.remove(grant.number());
            }
          });
    }
  }

  private synchronized void heard(String node, long packets, long nanos) {
    if (readers.heard(node, packets, nanos, throttle.latencyTargetMicros())) {
      changed = true;
      LOG.info(
          "packets to readers of {} take {} us: it leaves {} of its limits",
          node,
          Math.round(readers.micros(node)),
          readers.part(node));
    }
  }

  /**
   * Breaks off plans that would stall while they hold buffers, and slow plans whose work is given
   * up.
   */
  private void breakOff() {
    List<Grant> slow;
    synchronized (this) {
      grants.values().stream()
          .filter(grant -> grant.stallsAt(rate(grant)))
          .toList()
          .forEach(Grant::breakOff);
      slow = grants.values().stream().filter(this::lasts).toList();
    }
    haltCheck.soon(slow, this::leave);
  }

  private synchronized void leave(List<Grant> halted) {
    halted.stream().filter(grant -> !closed && lasts(grant)).forEach(Grant::breakOff);
  }

  private double rate(Grant grant) {
    return Math.min(granted(grant), runs.target(grant.number()));
  }

  /** Whether a plan runs and takes long. */
  private boolean lasts(Grant grant) {
    return grant.lastsAt(rate(grant), runs.leftMillis(grant.number(), ticker.millis()));
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
    if (thread != null) {
      thread.interrupt();
    }
  }
}
