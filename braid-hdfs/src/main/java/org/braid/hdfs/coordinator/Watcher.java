package org.braid.hdfs.coordinator;

import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.api.WatchRequest;
import org.braid.hdfs.coordinator.convert.Reencoder;
import org.braid.hdfs.coordinator.policy.CurrentPolicies;
import org.braid.hdfs.coordinator.policy.PolicyWork;
import org.braid.hdfs.coordinator.repair.DemandServer;
import org.braid.hdfs.coordinator.repair.RepairScope;
import org.braid.hdfs.coordinator.repair.RepairSettings;
import org.braid.hdfs.coordinator.repair.Repairer;
import org.braid.hdfs.coordinator.repair.RepairsBeside;
import org.braid.hdfs.coordinator.repair.UrgentRepairs;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.Stopwatch;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a cluster: rebuilds the blocks that readers wait for at once, and all other lost blocks
 * soon. It holds the lease until another coordinator wants it, then releases it between two stripes
 * and takes it again afterwards.
 */
final class Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);
  private static final long LOOK_MILLIS = 100;

  /** Time after which the cluster is looked at anew while the throttle holds repairs back. */
  private static final long HELD_LOOK_MILLIS = 60_000;

  /** Interval of signs of life while there is no progress. */
  private static final long BEAT_MILLIS = 5000;

  /** Pause before policies are carried on after a failure. */
  private static final long AGAIN_MILLIS = 5000;

  /** Opens the session of the work under a lease. */
  interface Sessions {
    Session open(LeaseKeeper lease) throws IOException;
  }

  /** Scrubs stripes in the background. */
  interface Scrubs {
    /**
     * Begins.
     *
     * @param others whether something else comes first now
     */
    Closeable start(Session session, BooleanSupplier others);
  }

  private final NameNodeCalls nameNode;
  private final Sessions sessions;
  private final Scrubs scrubs;
  private final WatchRequest request;
  private final Progress alive;
  private final WatchSchedule schedule;
  private final CurrentPolicies policies;
  private final Ticker ticker;
  private final PolicyWork work;
  private final DaemonFigures figures;
  private final CutOff cutOff;
  private final String name = LeaseKeeper.holder("daemon");
  private final Stopwatch watch = new Stopwatch();
  private final TrafficMeter demandTraffic = new TrafficMeter();
  private final TrafficMeter urgentTraffic = new TrafficMeter();
  private Traffic traffic = Traffic.NONE;
  private int repaired;
  private int demanded;
  private int unrepairable;
  private int postponed;
  private int handOvers;
  private long nextWork;

  /** The lease, while it is held. */
  private volatile @Nullable LeaseKeeper present;

  /** Whether lost blocks are being rebuilt. */
  private volatile boolean repairing;

  /** Whether policies are being carried out. */
  private volatile boolean converting;

  /** Whether work is done that may last, during which it does not look for lost blocks. */
  private volatile boolean busy;

  /** The latest progress. */
  private volatile Heard heard = new Heard("watching", 0, 0);

  private volatile long heardAt;

  private record Heard(String phase, long done, long total) {}

  Watcher(
      NameNodeCalls nameNode,
      Sessions sessions,
      Scrubs scrubs,
      WatchRequest request,
      WatchSchedule schedule,
      CurrentPolicies policies,
      Ticker ticker,
      CutOff cutOff,
      DaemonFigures figures) {
    this.cutOff = cutOff;
    this.schedule = schedule;
    this.policies = policies;
    this.ticker = ticker;
    alive = request.alive();
    this.request =
        request.withAlive(
            (phase, done, total) -> {
              heard = new Heard(phase, done, total);
              heardAt = ticker.millis();
              LeaseKeeper held = present;
              if (held != null) {
                held.tell(phase, done, total);
              }
              alive.at(phase, done, total);
            });
    work = new PolicyWork(policies, this.request, ticker, figures.policies());
    this.figures = figures;
    nextWork = ticker.millis();
    this.nameNode = nameNode;
    this.sessions = sessions;
    this.scrubs = scrubs;
  }

  /**
   * Watches until it is stopped.
   *
   * @throws IOException when this user is not allowed to
   */
  WatchReport watch() throws IOException {
    while (!request.stop().stopped()) {
      Optional<LeaseKeeper> lease =
          LeaseKeeper.acquire(nameNode.leases(), name, request.stop(), standing, ticker);
      if (lease.isEmpty()) {
        break;
      }
      try (LeaseKeeper held = lease.get()) {
        present = held;
        cutOff.begin();
        hold(held);
      } catch (IOException | RuntimeException e) {
        LOG.warn("watching failed, it goes on: {}", e.getMessage(), e);
        request.stop().await(LOOK_MILLIS);
      } finally {
        present = null;
      }
      if (cutOff.was()) {
        request.stop().await(cutOff.awayMillis());
      }
    }
    return new WatchReport(
        repaired,
        demanded,
        unrepairable,
        work.converted(),
        work.restored(),
        handOvers,
        traffic.plus(demandTraffic.total()).plus(urgentTraffic.total()),
        watch.seconds());
  }

  private final LeaseKeeper.Standing standing =
      new LeaseKeeper.Standing() {
        @Override
        public void alive() {
          request.alive().at("waiting", 0, 0);
        }

        @Override
        public void behind(String holder) {
          request.journal().accept("standing by: %s has the lease".formatted(holder));
        }
      };

  private void hold(LeaseKeeper lease) throws IOException {
    Session session = sessions.open(lease);
    request.journal().accept("watching");
    work.begin();
    boolean wanted = false;
    IntSupplier beside = () -> 0;
    try (DemandServer demands =
            DemandServer.yielding(session, request.shape(), demandTraffic, lease::renew);
        UrgentRepairs urgent =
            UrgentRepairs.start(
                session,
                request.shape(),
                urgentTraffic,
                () -> busy && !ends(lease, demands) && !isPaused(Pausable.REPAIR),
                () -> isPaused(Pausable.REPAIR));
        RepairsBeside others =
            RepairsBeside.start(
                session,
                request.shape(),
                urgentTraffic,
                () -> converting && !ends(lease, demands) && !isPaused(Pausable.REPAIR));
        Closeable unused =
            scrubs.start(
                session,
                () ->
                    repairing
                        || demands.isBusy()
                        || urgent.isRepairing()
                        || others.isRepairing()
                        || isPaused(Pausable.SCRUB))) {
      IntSupplier rebuilt = () -> urgent.rebuilt() + others.rebuilt();
      beside = rebuilt;
      figures.leads(demands::rebuilt, rebuilt);
      AtomicBoolean over = new AtomicBoolean();
      while (!over.get() && !request.stop().stopped()) {
        request.alive().at("watching", 0, 0);
        request
            .stop()
            .breakingOff(
                () -> {
                  if (!over(lease, demands)) {
                    work(session, lease, demands);
                  }
                  over.set(over(lease, demands));
                });
        if (!over.get()) {
          request.stop().await(LOOK_MILLIS);
        }
      }
      wanted = demands.leaseWanted();
      urgent.finish();
      others.finish();
      if (request.stop().stopped()) {
        urgent.abort();
        others.abort();
        demands.abort();
      }
      demands.close();
      demanded += demands.rebuilt();
    } finally {
      figures.follows(wanted);
      repaired += beside.getAsInt();
    }
    // Nobody is asked any more: no end breaks that off, and a NameNode may be away.
    if (cutOff.was()) {
      lease.leave();
      request.journal().accept("no DataNode answers here: another daemon may take the lease");
    } else if (wanted) {
      handOvers++;
      request.journal().accept("giving way to another coordinator");
    } else if (lease.lost()) {
      request.journal().accept("the lease is lost, asking for it again");
    }
  }

  /**
   * Whether to begin nothing more. All work and waiting of this thread calls this repeatedly, so
   * that it also gives the signs of life of the thread; other threads give none.
   */
  private boolean over(LeaseKeeper lease, DemandServer demands) {
    if (ticker.millis() - heardAt >= BEAT_MILLIS) {
      // What the throttle holds back goes on, though none of it ends for long.
      heardAt = ticker.millis();
      Heard last = heard;
      alive.at(last.phase, last.done, last.total);
    }
    return ends(lease, demands);
  }

  private boolean ends(LeaseKeeper lease, DemandServer demands) {
    return request.stop().stopped() || lease.lost() || demands.leaseWanted() || cutOff.is();
  }

  /** Repairs lost blocks when a look is due, then does a part of the policies' work. */
  private void work(Session session, LeaseKeeper lease, DemandServer demands) {
    busy = true;
    try {
      if (schedule.due() && !isPaused(Pausable.REPAIR)) {
        look(session, lease, demands);
      }
      if (!over(lease, demands) && ticker.millis() >= nextWork) {
        policies(session, lease, demands);
      }
    } finally {
      busy = false;
    }
  }

  private boolean isPaused(Pausable what) {
    return policies.now().pausedUntil(what, Instant.now()).isPresent();
  }

  /** The request of a repair; while the repair goes on, no stripe is scrubbed. */
  private RepairRequest repair() {
    return request.repair(
        (phase, done, total) -> {
          repairing = done < total;
          figures.open(total - done);
          request.alive().at(phase, done, total);
        });
  }

  /** Does a part of the policies' work. */
  private void policies(Session session, LeaseKeeper lease, DemandServer demands) {
    converting = true;
    try {
      work.step(session, () -> over(lease, demands));
    } catch (IOException | RuntimeException e) {
      nextWork = ticker.millis() + AGAIN_MILLIS;
      if (!request.stop().stopped()) {
        LOG.warn("policies could not be carried out, again later: {}", e.getMessage());
      }
    } finally {
      converting = false;
    }
  }

  /** Looks for lost blocks and rebuilds them; broken off between stripes. */
  private void look(Session session, LeaseKeeper lease, DemandServer demands) {
    boolean all = schedule.begin();
    long until = ticker.millis() + HELD_LOOK_MILLIS;
    // What the throttle makes last long does not keep stripes waiting that have become worse.
    BooleanSupplier isLong =
        () -> ticker.millis() > until && session.throttles().throttle().inForce();
    RepairScope scope =
        new RepairScope() {
          @Override
          public void stripes(Page<StripeStatus> pages) throws IOException {
            if (all) {
              RepairScope.all(session, pages);
            } else {
              nameNode.damagedStripes(pages);
            }
          }

          @Override
          public void listed(long millis) {
            schedule.listed(millis);
          }

          /** Whether the look was broken off; it then stays incomplete. */
          private volatile boolean brokenOff;

          @Override
          public boolean halted() {
            brokenOff |= givesWay() || isLong.getAsBoolean();
            return brokenOff;
          }

          @Override
          public boolean givesWay() {
            return over(lease, demands) || isPaused(Pausable.REPAIR);
          }

          @Override
          public long delayMillis() {
            return RepairSettings.WATCH_DELAY_MILLIS;
          }

          @Override
          public boolean isWhole() {
            return all;
          }
        };
    Repairer repairer = new Repairer(session, repair(), scope);
    figures.looks(repairer::rebuilt);
    try {
      note(repairer.repair(), !scope.halted());
      if (!scope.halted()) {
        schedule.looked();
        if (all) {
          request.journal().accept("all stripes are looked at");
        }
      }
    } catch (IOException | RuntimeException e) {
      if (!request.stop().stopped()) {
        LOG.warn("lost blocks could not be looked for, again later: {}", e.getMessage());
      }
      repaired += repairer.rebuilt();
      figures.lookFailed();
    } finally {
      repairing = false;
    }
    if (!over(lease, demands)) {
      schedule.end();
      reencode(session, () -> over(lease, demands) || isPaused(Pausable.REPAIR));
    }
  }

  /**
   * Replicates and encodes anew the blocks of stripes that lost other blocks to deletions, as far
   * as the time until the next look allows.
   */
  private void reencode(Session session, BooleanSupplier halted) {
    int stripes = 0;
    try {
      stripes =
          Reencoder.noted(session, request.repair(request.alive()), halted, schedule::due)
              .run()
              .stripes();
    } catch (IOException | RuntimeException e) {
      if (!request.stop().stopped()) {
        LOG.warn("what deletions left of stripes is encoded anew later: {}", e.getMessage());
      }
    }
    if (stripes > 0) {
      request
          .journal()
          .accept(
              "what is left of %d stripes with deleted or changed blocks is protected anew"
                  .formatted(stripes));
    }
  }

  /**
   * Notes the findings of a look.
   *
   * @param whole whether it was complete; one that was broken off has not seen all damaged stripes
   */
  private void note(RepairReport report, boolean whole) {
    figures.looked(report, whole);
    repaired += report.repaired().size();
    traffic = traffic.plus(report.traffic());
    if (!report.repaired().isEmpty() || report.settled() > 0) {
      request
          .journal()
          .accept(
              "%d blocks rebuilt, %d needed no rebuilding, in %.1f s"
                  .formatted(report.repaired().size(), report.settled(), report.seconds()));
    }
    if (whole ? report.postponed() != postponed : report.postponed() > postponed) {
      postponed = report.postponed();
      request
          .journal()
          .accept(
              postponed == 0
                  ? "no stripe waits for silent nodes any more"
                  : "%d stripes wait for silent nodes to come back".formatted(postponed));
    }
    int beyond = report.unrepairable().size();
    if (whole ? beyond != unrepairable : beyond > unrepairable) {
      unrepairable = beyond;
      request
          .journal()
          .accept(
              unrepairable == 0
                  ? "no block is beyond repair any more"
                  : "%d blocks cannot be repaired, the first: %s: %s"
                      .formatted(
                          unrepairable,
                          report.unrepairable().get(0).name(),
                          report.unrepairable().get(0).reason()));
    }
  }
}
