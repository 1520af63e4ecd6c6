package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.hdfs.api.RepairReport.Unrepairable;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.coordinator.ManagedRepairs.Damaged;
import org.braid.hdfs.coordinator.Stripes.BadReplicas;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the lost blocks of stripes and moves those that stand where they may not, as the repair
 * manager schedules them.
 */
final class Repairer {
  private static final Logger LOG = LoggerFactory.getLogger(Repairer.class);
  private static final int EXAMPLES = 8;
  private static final long SILENT_NANOS = 30_000_000_000L;

  private final Session session;
  private final RepairRequest request;
  private final Scope scope;
  private final RepairPlanner planner;
  private final Stopwatch watch = new Stopwatch();
  private final TrafficMeter traffic = new TrafficMeter();
  private final BadReplicas bad = new BadReplicas();
  private final List<Repaired> repaired = new ArrayList<>();
  private final List<Unrepairable> unrepairable = new ArrayList<>();
  private final List<PlanView> examples = new ArrayList<>();
  private final AtomicInteger done = new AtomicInteger();

  /** Nodes that a busy machine silences for a moment are waited for, but not again and again. */
  private final long silentUntil = System.nanoTime() + SILENT_NANOS;

  private int settled;

  /** Which stripes are looked at, and whether the work is broken off between two of them. */
  interface Scope {
    List<StripeStatusProto> stripes() throws IOException;

    boolean halted();
  }

  /** Repairs all that is lost below the path asked for. */
  Repairer(Session session, RepairRequest request) {
    this(session, request, below(session, request.path()));
  }

  Repairer(Session session, RepairRequest request, Scope scope) {
    this.session = session;
    this.request = request;
    this.scope = scope;
    planner = RepairPlanners.named(request.shape());
  }

  RepairReport repair() throws IOException {
    session.nameNode().sweep(session.lease(), List.of());
    RepairSettings settings = RepairSettings.of(session.files().getConf(), request.policy());
    ClusterState state = ClusterState.withCaches(session.nameNode(), session.workers());
    List<Damaged> damaged = new ArrayList<>();
    for (StripeStatusProto status : scope.stripes()) {
      Members members = Members.of(status, state, bad);
      if (members.damaged()) {
        damaged.add(new Damaged(status, members));
      } else {
        settle(status, state);
      }
    }
    request.progress().at("repairing", 0, damaged.size());
    ManagedRepairs.Left left =
        new ManagedRepairs(
                session,
                new Scheduled(damaged.size()),
                bad,
                settings,
                new ManagedRepairs.Shape(planner, request.parallel(), request.seed()),
                state,
                damaged)
            .run(state);
    // What finds no place may find one when silent nodes are back, or surplus copies are gone.
    List<Parallel.Task> tasks = new ArrayList<>();
    for (Damaged one : left.unscheduled()) {
      long seed = request.seed() + 0x9e3779b97f4a7c15L * (tasks.size() + 1);
      tasks.add(() -> repair(one, new SplittableRandom(seed), damaged.size()));
    }
    Parallel.run(request.parallel(), tasks);
    return new RepairReport(
        request.shape(),
        repaired,
        unrepairable,
        settled,
        left.postponed(),
        traffic.total(),
        traffic.phases(),
        watch.seconds(),
        examples,
        watch.spans());
  }

  private static Scope below(Session session, String path) {
    return new Scope() {
      @Override
      public List<StripeStatusProto> stripes() throws IOException {
        if (path.equals("/")) {
          return session.nameNode().stripes();
        }
        List<Long> ids = new ArrayList<>();
        for (FileProto file : session.nameNode().files(path)) {
          file.getBlocksList().forEach(b -> ids.add(b.getBlock().getId()));
        }
        return session.nameNode().stripesOf(ids);
      }

      @Override
      public boolean halted() {
        return false;
      }
    };
  }

  /** A stripe that lacks nothing may have copies too many, of a node that was away. */
  private void settle(StripeStatusProto status, ClusterState state) throws IOException {
    StripeProto stripe = status.getStripe();
    int extra = 0;
    for (int i = 0; i < stripe.getMembersCount(); i++) {
      boolean counted =
          !Stripes.isVirtual(stripe, i)
              && !status.getMembers(i).getGone()
              && status.getMembers(i).getStatus().getExpected() == 1;
      if (counted && state.readable(status.getMembers(i).getStatus()).length > 1) {
        extra++;
      }
    }
    if (extra > 0) {
      List<String> refusals = session.nameNode().trim(session.lease(), stripe.getId());
      if (refusals.isEmpty()) {
        settled += extra;
      } else {
        LOG.info("stripe {} keeps {} extra copies: {}", stripe.getId(), extra, refusals);
      }
    }
  }

  /** Repairs that the manager schedules. */
  private final class Scheduled implements ManagedRepairs.Work {
    private final int total;

    Scheduled(int total) {
      this.total = total;
    }

    @Override
    public void repair(Damaged damaged, Preference preference) throws IOException {
      double since = watch.seconds();
      note(damaged, newRepair().repair(damaged.status(), preference), since);
      request.progress().at("repairing", done.incrementAndGet(), total);
    }

    @Override
    public void giveUp(Damaged damaged, String reason) {
      synchronized (Repairer.this) {
        Repairer.this.giveUp(damaged, damaged.members().homeless(), reason);
      }
      request.progress().at("repairing", done.incrementAndGet(), total);
    }

    @Override
    public boolean halted() {
      return scope.halted();
    }
  }

  private StripeRepair newRepair() {
    return new StripeRepair(session, planner, traffic, bad, silentUntil, watch);
  }

  private void note(Damaged damaged, StripeRepair.Done result, double since) {
    synchronized (this) {
      repaired.addAll(result.repaired());
      if (examples.size() < EXAMPLES) {
        examples.add(result.plan());
      }
      giveUp(damaged, result.beyond(), result.reason());
    }
    watch.span("repair", Stripes.shortId(damaged.status().getStripe()), since);
  }

  private void repair(Damaged damaged, SplittableRandom random, int total) throws IOException {
    if (scope.halted()) {
      return;
    }
    double since = watch.seconds();
    StripeProto stripe = damaged.status().getStripe();
    try {
      note(damaged, newRepair().repair(damaged.status(), random), since);
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("stripe {} is not repaired: {}", stripe.getId(), e.getMessage());
      synchronized (this) {
        giveUp(damaged, damaged.members().homeless(), String.valueOf(e.getMessage()));
      }
    }
    request.progress().at("repairing", done.incrementAndGet(), total);
  }

  private void giveUp(Damaged damaged, List<Integer> positions, String reason) {
    StripeProto stripe = damaged.status().getStripe();
    for (int i : positions) {
      unrepairable.add(
          new Unrepairable(
              damaged.status().getMembers(i).getPath(),
              stripe.getId(),
              i,
              Stripes.name(stripe.getMembers(i).getBlock()),
              reason));
    }
  }
}
