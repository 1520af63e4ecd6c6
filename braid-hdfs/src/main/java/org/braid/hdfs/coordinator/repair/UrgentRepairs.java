package org.braid.hdfs.coordinator.repair;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Recurring;
import org.braid.hdfs.time.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds stripes whose next loss may cost data, concurrently with other work of the holder of the
 * lease. That work may last for days or be stopped by the throttle, and no other coordinator may
 * repair meanwhile.
 */
public final class UrgentRepairs implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(UrgentRepairs.class);
  private static final long LOOK_MILLIS = 2000;

  /** Most stripes that are repaired before the next search. */
  private static final int MOST = 1000;

  /** Pause before a stripe that could not be rebuilt is tried again. */
  private static final long AGAIN_MILLIS = 30_000;

  private static final int PARALLEL = 4;

  /** The calls on the cluster. */
  interface Calls {
    /** Looks at the nodes. */
    ClusterState look() throws IOException;

    /** Looks again and gives late nodes more time to answer. */
    ClusterState patiently(ClusterState seen) throws IOException;

    /** The stripes with lost or misplaced blocks. */
    void damagedStripes(Page<StripeStatus> pages) throws IOException;

    /**
     * Repairs some stripes.
     *
     * @param halted whether to begin no more of them
     * @return the number of blocks rebuilt
     */
    int repair(List<StripeStatus> stripes, BooleanSupplier halted) throws IOException;
  }

  private record SessionCalls(
      Session session, RepairRequest request, TrafficMeter traffic, BadReplicas bad)
      implements Calls {
    @Override
    public ClusterState look() throws IOException {
      return session.cluster().recent();
    }

    @Override
    public ClusterState patiently(ClusterState seen) throws IOException {
      return session.cluster().patiently(seen);
    }

    @Override
    public void damagedStripes(Page<StripeStatus> pages) throws IOException {
      session.nameNode().damagedStripes(pages);
    }

    @Override
    public int repair(List<StripeStatus> stripes, BooleanSupplier halted) throws IOException {
      List<Throttles.Hurry> hurries = new ArrayList<>();
      try {
        // The command may be at work on one of them, held back when it was less urgent.
        stripes.forEach(s -> hurries.add(session.throttles().hurry(s.stripe().id())));
        RepairReport report =
            new Repairer(session, request, RepairScope.urgent(stripes, halted), traffic, bad)
                .repair();
        report
            .unrepairable()
            .forEach(u -> LOG.warn("{} of stripe {}: {}", u.name(), u.stripe(), u.reason()));
        return report.repaired().size();
      } finally {
        hurries.forEach(Throttles.Hurry::close);
      }
    }
  }

  private final Calls calls;
  private final BadReplicas bad;
  private final BooleanSupplier wanted;
  private final BooleanSupplier paused;
  private final Ticker ticker;
  private volatile boolean repairing;
  private final AtomicInteger rebuilt = new AtomicInteger();

  /** The time of the next attempt at each stripe that was tried, by id; only for its thread. */
  private final Map<String, Long> again = new HashMap<>();

  /** Duration of the last look, without the extra time of late nodes. */
  private long lookedMillis;

  private long waitedMillis;

  private final Recurring looks =
      new Recurring("braid-urgent", "stripes without a spare block", LOOK_MILLIS, this::work);

  UrgentRepairs(
      Calls calls, BadReplicas bad, BooleanSupplier wanted, BooleanSupplier paused, Ticker ticker) {
    this.calls = calls;
    this.bad = bad;
    this.wanted = wanted;
    this.paused = paused;
    this.ticker = ticker;
  }

  /**
   * Starts looking for such stripes.
   *
   * @param shape of the plans
   * @param traffic measures what they move
   * @param wanted whether to look for them now
   * @param paused whether to begin no more of those that were found
   */
  public static UrgentRepairs start(
      Session session,
      String shape,
      TrafficMeter traffic,
      BooleanSupplier wanted,
      BooleanSupplier paused) {
    RepairRequest request =
        new RepairRequest("/", shape, PARALLEL, session.slice(), 0, Progress.SILENT);
    BadReplicas bad = new BadReplicas();
    UrgentRepairs repairs =
        new UrgentRepairs(
            new SessionCalls(session, request, traffic, bad), bad, wanted, paused, Ticker.SYSTEM);
    repairs.looks.start();
    return repairs;
  }

  /** Number of blocks rebuilt so far. */
  public int rebuilt() {
    return rebuilt.get();
  }

  /** Whether stripes are being repaired. */
  public boolean isRepairing() {
    return repairing;
  }

  private long work() throws IOException {
    lookedMillis = 0;
    var unused = step();
    return lookedMillis;
  }

  /** Milliseconds that the last step looked for stripes; the longer, the later the next step. */
  long lookedMillis() {
    return lookedMillis;
  }

  /** Looks for such stripes once and repairs them; returns the number of blocks rebuilt. */
  int step() throws IOException {
    if (!wanted.getAsBoolean()) {
      return 0;
    }
    long now = ticker.millis();
    again.values().removeIf(at -> at <= now);
    List<StripeStatus> urgent = urgent();
    lookedMillis = ticker.millis() - now - waitedMillis;
    if (urgent.isEmpty()) {
      return 0;
    }
    LOG.info("{} stripes whose next loss may cost data are repaired", urgent.size());
    urgent.forEach(status -> again.put(status.stripe().id(), ticker.millis() + AGAIN_MILLIS));
    repairing = true;
    try {
      int blocks = calls.repair(urgent, () -> looks.isClosed() || paused.getAsBoolean());
      rebuilt.addAndGet(blocks);
      return blocks;
    } finally {
      repairing = false;
      if (paused.getAsBoolean()) {
        urgent.forEach(status -> again.remove(status.stripe().id())); // some were not begun
      }
    }
  }

  private List<StripeStatus> urgent() throws IOException {
    List<StripeStatus> found = new ArrayList<>();
    waitedMillis = 0;
    ClusterState state = calls.look();
    calls.damagedStripes(
        Page.until(
            () -> found.size() == MOST || looks.isClosed(),
            page -> {
              for (StripeStatus status : page) {
                Damaged stripe = Damaged.of(status, state, bad);
                if (found.size() < MOST && isWorth(stripe)) {
                  found.add(status);
                }
              }
            }));
    if (!found.isEmpty() && !looks.isClosed()) {
      long since = ticker.millis();
      ClusterState again = calls.patiently(state);
      waitedMillis = ticker.millis() - since;
      found.removeIf(status -> again != state && !isWorth(Damaged.of(status, again, bad)));
    }
    return found;
  }

  private boolean isWorth(Damaged stripe) {
    return stripe.isUrgent()
        && !stripe.determined().lost().isEmpty()
        && !again.containsKey(stripe.id());
  }

  /** Begins nothing more. */
  public void finish() {
    looks.finish();
  }

  /** Breaks off repairs that do not end soon; the next holder of the lease does them. */
  public void abort() {
    looks.abort();
  }

  /** Begins no new repairs and finishes the running ones, unless they take long. */
  @Override
  public void close() {
    looks.close();
  }
}
