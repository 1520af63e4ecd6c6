package org.braid.hdfs.coordinator;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.coordinator.session.LeaseCalls;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.dispatch.Ids;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.proto.BraidProtos.WorkProto;
import org.braid.hdfs.time.Ticker;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease that makes this the only coordinator at work below some paths, or on all of the
 * cluster. It is renewed in the background; the NameNode refuses every change without it, so a
 * coordinator that lost it can do no harm.
 */
final class LeaseKeeper implements Closeable {
  /** Property: how long work waits for another coordinator to finish. */
  static final String WAIT_KEY = "braid.coordinator.lease-wait";

  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final long ASK_MILLIS = 200;

  /** After this time the holder of the lease is named to those who wait. */
  private static final long TELL_MILLIS = 3000;

  /** Pause before the NameNode is asked again after a failure. */
  private static final long FAILURE_MILLIS = 1000;

  /**
   * The NameNode keeps the place in the queue for twice the time of the slowest call plus this
   * time.
   */
  private static final long KEEP_MILLIS = 1000;

  private static final long MOST_KEEP_MILLIS = 15_000;

  /** Limit for releasing the lease; a lease that is not released expires. */
  private static final long RELEASE_MILLIS = 5000;

  private final LeaseCalls nameNode;
  private final String lease;
  private final boolean shared;
  private final BooleanSupplier returns;
  private final ScheduledExecutorService renewer;
  private final Future<?> renewals;
  private final Ticker ticker;
  private volatile boolean lost;
  private volatile boolean left;
  private volatile @Nullable Doing doing;

  /** The latest progress under the lease, and the time at which its phase began. */
  private record Doing(String phase, long done, long total, long since) {}

  /** Asks for the lease; its place in the queue is kept for as long as its calls take. */
  private static final class Asker {
    private final LeaseCalls nameNode;
    private final String holder;
    private final boolean standby;
    private final Collection<String> paths;
    private final Ticker ticker;
    private long slowest;

    Asker(
        LeaseCalls nameNode,
        String holder,
        boolean standby,
        Collection<String> paths,
        Ticker ticker) {
      this.nameNode = nameNode;
      this.holder = holder;
      this.standby = standby;
      this.paths = paths;
      this.ticker = ticker;
    }

    AcquireResponseProto ask() throws IOException {
      long begun = ticker.millis();
      try {
        return nameNode.acquire(
            holder, standby, Math.min(MOST_KEEP_MILLIS, KEEP_MILLIS + 2 * slowest), paths);
      } finally {
        slowest = Math.max(slowest, ticker.millis() - begun);
      }
    }
  }

  /** Hears from a coordinator that waits for the lease. */
  interface Standing {
    /** Called repeatedly while it waits. */
    void alive();

    /** Called when the holder of the lease, or the coordinator ahead in the queue, changes. */
    void behind(String holder);
  }

  private LeaseKeeper(
      LeaseCalls nameNode, AcquireResponseProto acquired, BooleanSupplier returns, Ticker ticker) {
    this.nameNode = nameNode;
    this.returns = returns;
    this.ticker = ticker;
    this.lease = acquired.getLease();
    this.shared = acquired.getShared();
    renewer = DaemonThreads.scheduled(1, "braid-lease");
    long period = Math.max(1, acquired.getMillis() / 3);
    renewals = renewer.scheduleAtFixedRate(this::renew, period, period, TimeUnit.MILLISECONDS);
  }

  /**
   * Takes the lease. Waits until its holder finishes and releases it, or until the lease of a dead
   * holder expires.
   *
   * @param work the kind of work, in one word
   * @param paths below which things will be changed; none: all of the cluster
   * @param patienceMillis how long at most
   * @throws RefusedException when another coordinator keeps it
   */
  static LeaseKeeper acquire(
      LeaseCalls nameNode,
      String work,
      Collection<String> paths,
      long patienceMillis,
      Ticker ticker)
      throws IOException {
    Asker asker = new Asker(nameNode, holder(work), false, paths, ticker);
    long since = ticker.millis();
    boolean told = false;
    AcquireResponseProto answer = asker.ask();
    while (!answer.hasLease()) {
      long waited = ticker.millis() - since;
      if (waited > patienceMillis) {
        throw new RefusedException(
            "another coordinator ("
                + answer.getHolder()
                + ") is at work on the same paths, or on all of the cluster, and did not finish within "
                + patienceMillis / 1000
                + " s: wait until it has, or wait longer with -D "
                + WAIT_KEY
                + "=1h");
      }
      if (!told && waited > TELL_MILLIS) {
        told = true;
        LOG.warn(
            "waiting up to {} s for another coordinator ({}) to finish",
            patienceMillis / 1000,
            answer.getHolder());
      }
      Waiting.pause(ASK_MILLIS, ticker);
      answer = asker.ask();
    }
    return new LeaseKeeper(nameNode, answer, () -> false, ticker);
  }

  /**
   * Takes the lease once its holder has ended and no command wants it. Waits without limit, also
   * for NameNodes that cannot be reached for a while. A holder that releases the lease without
   * being stopped asks again.
   *
   * @param holder a name of {@link #holder}; the same each time, so that it keeps its place
   * @param standing told again and again that it waits
   * @return empty when it was stopped before
   * @throws IOException when the NameNode refuses it to this user
   */
  static Optional<LeaseKeeper> acquire(
      LeaseCalls nameNode, String holder, StopSignal stop, Standing standing, Ticker ticker)
      throws IOException {
    Asker asker = new Asker(nameNode, holder, true, List.of(), ticker);
    String failure = "";
    String ahead = "";
    while (!stop.stopped()) {
      standing.alive();
      long pause = ASK_MILLIS;
      try {
        // A NameNode that is not there may be tried for minutes.
        List<AcquireResponseProto> answers = new ArrayList<>();
        stop.breakingOff(() -> answers.add(asker.ask()));
        if (answers.isEmpty()) {
          break;
        }
        AcquireResponseProto answer = answers.get(0);
        if (answer.hasLease()) {
          return Optional.of(new LeaseKeeper(nameNode, answer, () -> !stop.stopped(), ticker));
        }
        if (!answer.getHolder().equals(ahead)) {
          ahead = answer.getHolder();
          standing.behind(ahead);
        }
      } catch (AccessControlException e) {
        throw e; // asking again does not help
      } catch (IOException e) {
        if (stop.stopped()) {
          break;
        }
        String reason = String.valueOf(e.getMessage());
        // What safe mode waits for changes from one answer to the next.
        String kind = e instanceof SafeModeException ? "safe mode" : reason;
        if (!kind.equals(failure)) {
          LOG.warn("the lease cannot be asked for, trying on: {}", reason);
          failure = kind;
        }
        pause = FAILURE_MILLIS;
      }
      stop.await(pause);
    }
    return Optional.empty();
  }

  /**
   * Returns the name of this process as a holder of the lease.
   *
   * @param work the kind of work, in one word
   */
  static String holder(String work) {
    return work
        + " at "
        + host()
        + ":"
        + ProcessHandle.current().pid()
        + ":"
        + Ids.random().substring(0, 8);
  }

  /** The host name, by which operators find the holder of the lease. */
  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return InetAddress.getLoopbackAddress().getHostName(); // a host that does not know its name
    }
  }

  /** Progress that the NameNode hears of, too, with the next renewal. */
  Progress telling(Progress other) {
    return (phase, done, total) -> {
      tell(phase, done, total);
      other.at(phase, done, total);
    };
  }

  /** Notes for the next renewal how far the work is. */
  void tell(String phase, long done, long total) {
    Doing before = doing;
    // Of two threads at once either may be heard.
    long since =
        before != null && before.phase.equals(phase) && done >= before.done
            ? before.since
            : ticker.millis();
    doing = new Doing(phase, done, total, since);
  }

  private Optional<WorkProto> work() {
    Doing now = doing;
    return now == null
        ? Optional.empty()
        : Optional.of(
            WorkProto.newBuilder()
                .setPhase(now.phase)
                .setDone(now.done)
                .setTotal(now.total)
                .setPhaseMillis(ticker.millis() - now.since)
                .build());
  }

  /** Renews the lease now, for callers that suspect its loss. */
  void renew() {
    Turn.take(
        () -> {
          if (!nameNode.renew(lease, work())) {
            lost = true;
            LOG.warn(
                "the coordinator's lease is lost; what it still tries to change will be refused");
          }
        },
        e -> LOG.warn("the coordinator's lease could not be renewed: {}", e.getMessage()));
  }

  /** Gives up the place in the queue with the lease, so that other coordinators take it first. */
  void leave() {
    left = true;
  }

  String id() {
    return lease;
  }

  /** Whether others may hold leases meanwhile, so that stripes are to be claimed. */
  boolean isShared() {
    return shared;
  }

  /** Whether the lease is known to be lost. */
  boolean lost() {
    return lost;
  }

  @Override
  public void close() {
    renewals.cancel(true);
    try {
      if (!lost) {
        release();
      }
    } catch (IOException e) {
      LOG.info("the lease was not released, it will expire: {}", e.getMessage());
    } finally {
      renewer.shutdownNow();
    }
  }

  /** Releases the lease, unless the NameNode does not answer in time. */
  private void release() throws IOException {
    StopSignal end = new StopSignal();
    var unused = renewer.schedule(end::stop, RELEASE_MILLIS, TimeUnit.MILLISECONDS);
    end.breakingOff(() -> nameNode.release(lease, !left && returns.getAsBoolean()));
  }
}
