package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.RepairPreview;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.hdfs.api.RepairReport.Unrepairable;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.SpilledList;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.Claims;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.KeptCopies;
import org.braid.hdfs.coordinator.session.NameNodeCalls.Page;
import org.braid.hdfs.coordinator.session.Parallel;
import org.braid.hdfs.coordinator.session.ParitySweep;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.Stopwatch;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.coordinator.throttle.Background;
import org.braid.hdfs.coordinator.throttle.GaveWayException;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.ScheduledRepair;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.plan.throttle.Throttle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the lost blocks of stripes and moves those that stand where they may not: looks for
 * damaged stripes, has the repair manager schedule them within its budgets ({@link RepairLoop}),
 * runs each schedule on the DataNodes and publishes what is verified ({@link StripeRepair}), and
 * reports.
 */
public final class Repairer {
  private static final Logger LOG = LoggerFactory.getLogger(Repairer.class);
  private static final int EXAMPLES = 8;

  /** Most stripes with surplus copies, and most replicated ones, that are settled in a round. */
  private static final int MOST = 20_000;

  /** Longest wait at a time for the listing of stripes. */
  private static final long LISTING_MILLIS = 500;

  /** Time to wait, once, for nodes that a busy host has silenced for a moment. */
  private static final long SILENT_MILLIS = 30_000;

  /** The same while a reader waits. */
  private static final long SILENT_AWAITED_MILLIS = 5_000;

  private final Session session;
  private final RepairRequest request;
  private final RepairScope scope;
  private final RepairPlanner planner;
  private final TrafficMeter traffic;
  private final BadReplicas bad;
  private final Stopwatch watch = new Stopwatch();
  private final List<Repaired> repaired = new SpilledList<>();
  private final List<Unrepairable> unrepairable = new SpilledList<>();
  private final List<Skipped> parityLeft = new SpilledList<>();
  private final List<PlanView> examples = new ArrayList<>();
  private final RepairRounds rounds;
  private final ExpectedRepairs expected;
  private boolean swept;
  private int total;
  private int ended;
  private int settled;

  /**
   * Repairs the lost blocks below the requested path.
   *
   * @param halted whether no more repairs are to be begun
   */
  public Repairer(Session session, RepairRequest request, BooleanSupplier halted) {
    this(session, request, RepairScope.below(session, request.path(), halted));
  }

  /** Repairs the lost blocks of the stripes of a scope. */
  public Repairer(Session session, RepairRequest request, RepairScope scope) {
    this(session, request, scope, new TrafficMeter(), new BadReplicas());
  }

  Repairer(
      Session session,
      RepairRequest request,
      RepairScope scope,
      TrafficMeter traffic,
      BadReplicas bad) {
    Background work = Background.repair(scope::givesWay);
    this.session =
        session.with(scope.awaited() ? work.because(Cause.WAITING_READERS).hurried() : work);
    this.request = request;
    this.scope = scope;
    this.traffic = traffic;
    this.bad = bad;
    planner = RepairPlanners.named(request.shape());
    rounds = new RepairRounds(MOST);
    expected = new ExpectedRepairs(session.rates(), session.slice(), request.parallel());
  }

  /** Number of blocks rebuilt so far. */
  public synchronized int rebuilt() {
    return repaired.size();
  }

  /** Repairs, and reports the results. */
  public RepairReport repair() throws IOException {
    if (!scope.onlyLost()) {
      session.nameNode().sweep(session.lease(), List.of());
    }
    int postponed = 0;
    do {
      // What was seen a moment ago may not say yet what a reader has met.
      OnCluster cluster = new OnCluster();
      postponed += run(cluster, cluster.patiently(cluster.look()), Ticker.SYSTEM);
      if (scope.isWhole() && !swept && !scope.halted()) {
        swept = true;
        session.nameNode().sweepAll(session.lease(), scope::halted);
      }
      settle();
    } while (rounds.next() && !scope.halted());
    return new RepairReport(
        request.shape(),
        repaired,
        unrepairable,
        settled,
        postponed,
        0,
        parityLeft,
        traffic.total(),
        traffic.phases(),
        watch.seconds(),
        examples,
        watch.spans(),
        expected.total(session.throttles().throttle()));
  }

  /**
   * Previews {@link #repair}; changes nothing.
   *
   * @param state the cluster, with the blocks that workers cache
   * @param throttle the limits of background work
   * @param thinned stripes that lost data blocks to deletions or changes
   */
  public RepairPreview preview(ClusterState state, Throttle throttle, int thinned)
      throws IOException {
    int postponed = 0;
    Planned planned = new Planned();
    do {
      postponed += run(new OnPaper(state, planned), state, new PlannedTime());
      for (Damaged stripe : rounds.crowded()) {
        settled += stripe.surplus(state);
      }
    } while (rounds.next());
    return RepairPreview.of(
        request.shape(),
        planned.blocks(),
        expected.total(throttle),
        unrepairable,
        settled,
        postponed,
        thinned);
  }

  /** Lists the stripes and repairs the damaged ones; returns how many wait for silent nodes. */
  private int run(RepairWork work, ClusterState state, Ticker ticker) throws IOException {
    StripeListing.Lister lister = pages -> scope.stripes(Page.until(() -> isOver(pages), pages));
    try (StripeListing listing =
        scope.awaited() ? StripeListing.at(lister) : StripeListing.begin(lister)) {
      Found found = new Found(listing);
      List<Damaged> first = found.first(state);
      RepairLoop loop = new RepairLoop(work, setup(state, first), bad, state, ticker);
      int postponed = loop.run(found);
      listing.check();
      return postponed;
    }
  }

  private boolean isOver(Page<StripeStatus> pages) {
    return pages.isFull() || scope.halted();
  }

  /** Finds the damaged stripes in a listing, and notes others with surplus copies or parity. */
  private final class Found implements RepairFeed {
    private final StripeListing listing;
    private List<Damaged> first = List.of();
    private boolean told;

    Found(StripeListing listing) {
      this.listing = listing;
    }

    /** The first stripes; {@link #next} then returns them again. */
    List<Damaged> first(ClusterState state) throws IOException {
      while (first.isEmpty() && !ended() && !scope.halted()) {
        first = next(state, LISTING_MILLIS).orElse(List.of());
      }
      return first;
    }

    @Override
    public Optional<List<Damaged>> next(ClusterState state, long millis) throws IOException {
      if (!first.isEmpty()) {
        List<Damaged> next = first;
        first = List.of();
        return Optional.of(next);
      }
      Optional<List<StripeStatus>> page = listing.next(millis);
      List<Damaged> next = new ArrayList<>();
      for (StripeStatus status : page.orElse(List.of())) {
        sort(status, state).ifPresent(next::add);
      }
      total += next.size();
      request.progress().at("repairing", ended, total);
      if (listing.ended() && !told) {
        told = true;
        scope.listed(listing.millis());
      }
      return page.map(unused -> next);
    }

    @Override
    public boolean ended() {
      return first.isEmpty() && listing.ended();
    }
  }

  /** Notes the damage of a stripe; returns the stripe if it is to be repaired. */
  private Optional<Damaged> sort(StripeStatus status, ClusterState state) {
    Damaged stripe = Damaged.of(status, state, bad);
    if (!scope.onlyLost() && status.isReplicated()) {
      rounds.addReplicated(stripe);
    } else if (isWork(stripe)) {
      return rounds.takes(stripe) ? Optional.of(stripe) : Optional.empty();
    } else if (!scope.onlyLost() && stripe.surplus(state) > 0) {
      rounds.addCrowded(stripe);
    }
    return Optional.empty();
  }

  private boolean isWork(Damaged stripe) {
    boolean beside = scope.onlyLost() && !scope.awaited();
    return beside
        ? !stripe.members().lost().isEmpty() && !stripe.status().isReplicated()
        : stripe.members().damaged();
  }

  /** Drops surplus copies, and the parity of stripes whose blocks users have all replicated. */
  private void settle() throws IOException {
    Parallel.run(
        request.parallel(),
        rounds.crowded().stream().<Parallel.Task>map(stripe -> () -> settle(stripe)).toList());
    if (!rounds.replicated().isEmpty() && !scope.halted()) {
      List<StripeStatus> swept = rounds.replicated().stream().map(Damaged::status).toList();
      parityLeft.addAll(new ParitySweep(session).sweep(swept).parity());
    }
  }

  private void settle(Damaged found) throws IOException {
    if (scope.halted()) {
      return;
    }
    try (Claims.Claim unused = session.claims().take(found.id())) {
      settleClaimed(found);
    }
  }

  private void settleClaimed(Damaged found) throws IOException {
    // It was found before all repairs, which may have lasted.
    ClusterState state = session.cluster().recent();
    StripeStatus now = session.nameNode().refreshed(found.status());
    Damaged stripe = Damaged.of(now, state, bad);
    int extra = stripe.surplus(state);
    if (extra == 0) {
      return;
    }
    try {
      new KeptCopies().checkSurplus(session, stripe.status(), state);
    } catch (PlanFailedException | GaveWayException e) {
      LOG.warn("stripe {} keeps {} extra copies: {}", stripe.id(), extra, e.getMessage());
      return;
    }
    List<String> refusals = session.nameNode().trimSurplus(session.lease(), stripe.id());
    if (refusals.isEmpty()) {
      synchronized (this) {
        settled += extra;
      }
    } else {
      LOG.info("stripe {} keeps {} extra copies: {}", stripe.id(), extra, refusals);
    }
  }

  private RepairSetup setup(ClusterState state, List<Damaged> damaged) throws IOException {
    RepairSettings settings =
        RepairSettings.of(session.files().getConf(), request.policy(), scope.delayMillis());
    long block = damaged.stream().mapToLong(s -> s.status().stripe().blockLength()).max().orElse(1);
    Network.Volume volume = new Network.Volume(Math.max(1, block), session.slice());
    return new RepairSetup(
        settings.manager(request.parallel()),
        settings.scheduler(),
        new PlanSettings(planner, session.network(state).with(volume)),
        request.seed(),
        scope.awaited() ? SILENT_AWAITED_MILLIS : SILENT_MILLIS,
        scope.awaited());
  }

  /** Carries out repairs on the cluster and notes them for the report. */
  private final class OnCluster implements RepairWork {
    private final StripeRepair repair = new StripeRepair(session, planner, traffic, bad, watch);

    @Override
    public ClusterState look() throws IOException {
      return session.cluster().withCaches();
    }

    @Override
    public ClusterState patiently(ClusterState seen) throws IOException {
      return scope.isPatient() ? session.cluster().patiently(seen) : seen;
    }

    @Override
    public StripeStatus refreshed(StripeStatus stripe) throws IOException {
      return session.nameNode().refreshed(stripe);
    }

    @Override
    public void repair(Damaged stripe, ScheduledRepair scheduled, Topology known)
        throws IOException {
      expected.add(stripe, scheduled, known);
      double since = watch.seconds();
      session.throttles().measure(stripe.id());
      try {
        // What is left of a part is noted with it.
        boolean all = scope.awaited() || !stripe.isPart(scheduled);
        done(stripe, repair.repair(stripe.status(), scheduled, known), all);
      } catch (AttemptFailed e) {
        synchronized (Repairer.this) {
          repaired.addAll(e.repaired());
        }
        throw e;
      } finally {
        session.throttles().forget(stripe.id());
      }
      watch.span("repair", stripe.status().stripe().shortId(), since);
    }

    @Override
    public void finish(Damaged stripe) throws IOException {
      done(stripe, repair.finish(stripe.status()), false); // it is looked at again
    }

    private void done(Damaged stripe, StripeRepair.Done done, boolean all) {
      synchronized (Repairer.this) {
        repaired.addAll(done.repaired());
        if (scope.awaited()) {
          repaired.addAll(done.atStandIns()); // readers get them there
        }
        if (examples.size() < EXAMPLES) {
          examples.add(done.plan());
        }
        note(stripe, all ? done.beyond() : List.of(), done.reason());
      }
    }

    @Override
    public long heldMillis(String stripe) {
      return session.throttles().heldMillis(stripe) + repair.waitedMillis(stripe);
    }

    @Override
    public void giveUp(Damaged stripe, String reason) {
      List<Integer> homeless = stripe.members().homeless();
      // Else what was rebuilt could not be given its home.
      note(stripe, homeless.isEmpty() ? repair.unfinished(stripe.id()) : homeless, reason);
    }

    @Override
    public boolean halted() {
      return scope.halted();
    }
  }

  /** Adds up the blocks that would be rebuilt and moved. */
  private static final class Planned {
    private final Set<Long> files = new HashSet<>();

    /** Stripes some of whose blocks may move after others are rebuilt. */
    private final Set<String> parts = new HashSet<>();

    private int stripes;
    private int rebuilt;
    private int moved;
    private long parityBytes;

    void add(StripeStatus status, ScheduledRepair scheduled, boolean part) {
      Set<Integer> lost = Set.copyOf(scheduled.stripe().lost());
      int k = status.stripe().code().k();
      if (part ? parts.add(status.stripe().id()) : !parts.remove(status.stripe().id())) {
        stripes++;
      }
      rebuilt += lost.size();
      moved += scheduled.destinations().size() - lost.size();
      for (int position : scheduled.destinations().keySet()) {
        if (position < k) {
          files.add(status.member(position).inode());
        } else if (lost.contains(position)) {
          parityBytes += status.stripe().blockLength();
        }
      }
    }

    RepairPreview.Blocks blocks() {
      return new RepairPreview.Blocks(stripes, files.size(), rebuilt, moved, parityBytes);
    }
  }

  /** Notes the repairs that would be done, without changing the cluster. */
  private final class OnPaper implements RepairWork {
    private final ClusterState state;
    private final Planned planned;

    OnPaper(ClusterState state, Planned planned) {
      this.state = state;
      this.planned = planned;
    }

    @Override
    public boolean changes() {
      return false;
    }

    @Override
    public ClusterState look() {
      return state;
    }

    @Override
    public StripeStatus refreshed(StripeStatus stripe) {
      return stripe;
    }

    @Override
    public void finish(Damaged stripe) {
      throw new IllegalStateException("on paper no attempt fails");
    }

    @Override
    public void repair(Damaged stripe, ScheduledRepair scheduled, Topology known) {
      expected.add(stripe, scheduled, known);
      List<Integer> beyond = stripe.members().beyond(stripe.status().stripe().code());
      synchronized (Repairer.this) {
        boolean part = stripe.isPart(scheduled);
        planned.add(stripe.status(), scheduled, part);
        boolean all = beyond.isEmpty() || part; // else they are noted with what is left
        note(stripe, all ? List.of() : beyond, all ? "" : stripe.shortage());
      }
    }

    @Override
    public void giveUp(Damaged stripe, String reason) {
      note(stripe, stripe.members().homeless(), reason);
    }

    @Override
    public boolean halted() {
      return scope.halted();
    }
  }

  /** Notes the end of a stripe, with the positions that cannot be repaired. */
  private synchronized void note(Damaged stripe, List<Integer> positions, String reason) {
    for (int i : positions) {
      unrepairable.add(
          new Unrepairable(
              stripe.status().member(i).path(),
              stripe.id(),
              i,
              stripe.status().stripe().member(i).block().name(),
              reason));
    }
    ended = Math.min(ended + 1, total); // blocks that move after others are noted for themselves
    request.progress().at("repairing", ended, total);
  }
}
