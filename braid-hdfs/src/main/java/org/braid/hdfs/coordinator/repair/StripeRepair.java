package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.hdfs.coordinator.repair.RepairAttempt.Reread;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.Claims;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.KeptCopies;
import org.braid.hdfs.coordinator.session.NewReplica;
import org.braid.hdfs.coordinator.session.Parallel;
import org.braid.hdfs.coordinator.session.Pins;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.Stopwatch;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;
import org.braid.hdfs.time.WaitTimes;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairFailure;
import org.braid.plan.schedule.ScheduledRepair;
import org.braid.plan.shape.HelperOrder;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.shape.RepairPlanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the scheduled repair of one stripe: rebuilds its lost blocks in one plan, moves
 * blocks whose one copy breaks the stripe's rule, verifies the new copies and names the homes.
 */
final class StripeRepair {
  private static final Logger LOG = LoggerFactory.getLogger(StripeRepair.class);
  private static final long REPORT_MILLIS = 15_000;

  /** Time for a DataNode to delete a bad copy, some heartbeats. */
  private static final long DELETED_MILLIS = 20_000;

  /** Most attempts to change a description that others change concurrently. */
  private static final int MOST_CHANGES = 5;

  private final Session session;
  private final RepairPlanner planner;
  private final TrafficMeter traffic;
  private final BadReplicas bad;
  private final Stopwatch watch;

  private final RebuiltBlocks begun = new RebuiltBlocks();

  /** Waits for nodes, which do not count as time of a repair. */
  private final WaitTimes waits = new WaitTimes(Ticker.SYSTEM);

  /**
   * Creates a runner of any number of concurrent repairs.
   *
   * @param watch notes the steps
   */
  StripeRepair(
      Session session,
      RepairPlanner planner,
      TrafficMeter traffic,
      BadReplicas bad,
      Stopwatch watch) {
    this.session = session;
    this.planner = planner;
    this.traffic = traffic;
    this.bad = bad;
    this.watch = watch;
  }

  /**
   * The result of a repair.
   *
   * @param repaired without blocks at stand-ins
   * @param atStandIns blocks at stand-ins, which are yet to move home
   * @param beyond positions of lost blocks that the remaining ones do not determine
   * @param reason why they are beyond repair; empty when there are none
   */
  record Done(
      List<Repaired> repaired,
      List<Repaired> atStandIns,
      PlanView plan,
      List<Integer> beyond,
      String reason) {}

  /**
   * Repairs a stripe.
   *
   * @param known the topology that the schedule numbers nodes by
   * @throws AttemptFailed when the repair failed and may be scheduled anew
   */
  Done repair(StripeStatus first, ScheduledRepair scheduled, Topology known) throws IOException {
    try (Claims.Claim unused = session.claims().take(first.stripe().id())) {
      ClusterState state = session.cluster().recent();
      // It waited for its turn, and others may have been at work.
      Damaged damaged = refreshed(first, state);
      return damaged.members().damaged()
          ? run(RepairAttempt.of(damaged, state, scheduled, known, rebuilt(damaged, state)))
          : finish(damaged, state, known);
    } finally {
      waits.forget(first.stripe().id());
    }
  }

  /**
   * Finishes the blocks of a stripe that failed attempts rebuilt.
   *
   * @throws AttemptFailed when such a block is bad, or lost again
   */
  Done finish(StripeStatus first) throws IOException {
    try (Claims.Claim unused = session.claims().take(first.stripe().id())) {
      ClusterState state = session.cluster().recent();
      return finish(refreshed(first, state), state, state.topology());
    } finally {
      waits.forget(first.stripe().id());
    }
  }

  private Done finish(Damaged damaged, ClusterState state, Topology known) throws IOException {
    Map<Integer, Integer> rebuilt = rebuilt(damaged, state);
    if (!rebuilt.isEmpty()) {
      return run(RepairAttempt.finishing(damaged, state, known, rebuilt));
    }
    PlanView none = PlanViews.none(damaged.status().stripe(), planner);
    return new Done(List.of(), List.of(), none, List.of(), "");
  }

  /** The positions of a stripe with unfinished destinations of attempts. */
  List<Integer> unfinished(String stripe) {
    return begun.begun(stripe);
  }

  private Damaged refreshed(StripeStatus stripe, ClusterState state) throws IOException {
    StripeStatus status = session.nameNode().refreshed(stripe);
    return Damaged.of(status, state, bad);
  }

  private Map<Integer, Integer> rebuilt(Damaged damaged, ClusterState state) {
    return begun.of(damaged.id(), damaged.members(), state);
  }

  private Done run(RepairAttempt attempt) throws IOException {
    Damaged damaged = attempt.damaged();
    Session paced = paced(damaged);
    begun.begin(attempt);
    try {
      PlanView view = rebuildAndVerify(paced, attempt);
      List<Repaired> repaired = publish(attempt);
      begun.forget(damaged.id(), attempt.rootOf().keySet());
      List<Repaired> atStandIns =
          repaired.stream().filter(r -> attempt.standIns().containsKey(r.block())).toList();
      repaired.removeAll(atStandIns);
      List<Integer> beyond = damaged.members().beyond(attempt.stripe().code());
      String reason = beyond.isEmpty() ? "" : damaged.shortage();
      return new Done(repaired, atStandIns, view, beyond, reason);
    } catch (PlanFailedException e) {
      Reread reread =
          attempt.reread(
              e, bad, (node, block) -> paced.verified(attempt.state(), node, block).crc());
      RepairFailure blame = attempt.blame(e, reread);
      // Attempts that only finish what is there are tried again as they are.
      List<Repaired> rebuilt =
          attempt.equations().isEmpty() ? List.of() : finishAfterFailure(damaged);
      throw new AttemptFailed(blame, rebuilt, e);
    }
  }

  /** Finishes the blocks that a failed attempt stored; leaves the others to the next attempt. */
  private List<Repaired> finishAfterFailure(Damaged before) {
    try {
      ClusterState state = session.cluster().recent();
      return finish(refreshed(before.status(), state), state, state.topology()).repaired();
    } catch (IOException e) {
      LOG.info("what was rebuilt of stripe {} is finished later: {}", before.id(), e.getMessage());
      return List.of();
    }
  }

  /**
   * How long the repair of a stripe has waited for others so far, which does not count as its time.
   */
  long waitedMillis(String stripe) {
    return session.claims().waitedMillis(stripe) + waits.millis(stripe);
  }

  private void awaitWithout(Datanode home, BlockIdentity block, String stripe) throws IOException {
    waits.begin(stripe);
    try {
      if (!Waiting.until(DELETED_MILLIS, () -> hasNone(home, block))) {
        throw new PlanFailedException(
            "%s has its bad copy of %s still after %d s: the block is on another node meanwhile"
                .formatted(home.host(), block.name(), DELETED_MILLIS / 1000),
            null);
      }
    } finally {
      waits.end(stripe);
    }
  }

  /** Whether a node has no replica of a block; one that does not answer is asked again. */
  private boolean hasNone(Datanode node, BlockIdentity block) throws InterruptedIOException {
    try {
      return session.workers().sync(node, List.of(block)).getFailedCount() > 0;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.info("{} does not say whether it has {}: {}", node.host(), block.name(), e.getMessage());
      return false;
    }
  }

  /** The session for a stripe; a stripe whose next loss may cost data is not throttled. */
  private Session paced(Damaged damaged) {
    Session about = session.on(damaged.id());
    return damaged.isUrgent() ? about.with(about.background().hurried()) : about;
  }

  private PlanView rebuildAndVerify(Session paced, RepairAttempt attempt) throws IOException {
    String name = attempt.stripe().shortId();
    Faults.reach(FaultStep.REPAIR_PLANNED, attempt.stripe().id());
    double since = watch.seconds();
    PlanView view = rebuild(paced, attempt);
    watch.span("rebuild", name, since);
    Faults.reach(FaultStep.REPAIR_REBUILT, attempt.stripe().id());
    double rebuilt = watch.seconds();
    verify(paced, attempt);
    watch.span("verify", name, rebuilt);
    Faults.reach(FaultStep.REPAIR_VERIFIED, attempt.stripe().id());
    return view;
  }

  /** Rebuilds the lost blocks, then moves the misplaced ones. */
  private PlanView rebuild(Session paced, RepairAttempt attempt) throws IOException {
    Stripe stripe = attempt.stripe();
    ClusterState state = attempt.state();
    int[] nodeOf = attempt.members().nodeOf();
    PlanView view = PlanViews.none(stripe, planner);
    if (!attempt.equations().isEmpty()) {
      Network.Volume volume =
          Network.Volume.ofBlock(stripe.blockLength(), stripe.code().alpha(), session.slice());
      Plan plan =
          HelperOrder.plan(
              planner,
              attempt.equations(),
              block -> nodeOf[block],
              attempt::root,
              session.network(state).with(volume));
      var result = paced.run(plan, state, attempt.damaged().status(), stripe.layout(), traffic);
      view = PlanViews.of(stripe.id(), planner.name(), state, plan, result);
    }
    Session moving = paced.with(paced.background().because(Cause.RELOCATE));
    for (int position : attempt.members().misplaced().keySet()) {
      Integer to = attempt.rootOf().get(position);
      if (to != null) {
        Datanode target = state.node(to);
        BlockIdentity block = stripe.member(position).block();
        if (target.uuid().equals(stripe.member(position).home())) {
          // HDFS may have given a bad copy up there, and not deleted it yet.
          awaitWithout(target, block, stripe.id());
        }
        Plan move = RelocationPlanner.move(position, 1, nodeOf[position], to);
        long length = stripe.member(position).block().length();
        moving.run(move, state, attempt.damaged().status(), CellLayout.whole(length), traffic);
      }
    }
    return view;
  }

  private void verify(Session paced, RepairAttempt attempt) throws IOException {
    List<Parallel.Task> tasks = new ArrayList<>();
    attempt
        .rootOf()
        .forEach((position, node) -> tasks.add(() -> verify(paced, attempt, position, node)));
    for (int position : attempt.members().strayed()) {
      tasks.add(() -> verify(paced, attempt, position, attempt.members().nodeOf()[position]));
    }
    Parallel.run(tasks.size(), tasks);
  }

  private void verify(Session paced, RepairAttempt attempt, int position, int node)
      throws IOException {
    Member member = attempt.stripe().member(position);
    BlockIdentity block = member.block();
    ClusterState state = attempt.state();
    NewReplica.await(session, block, state.node(node).uuid(), REPORT_MILLIS);
    if (paced.verified(state, node, block).crc() != member.crc()) {
      bad.add(block.id(), state.node(node).uuid());
      throw PlanFailedException.at(
          node, block.name() + " reads back wrong at " + state.name(node), null);
    }
    bad.remove(block.id(), state.node(node).uuid());
  }

  private List<Repaired> publish(RepairAttempt attempt) throws IOException {
    double since = watch.seconds();
    StripeStatus status = attempt.damaged().status();
    Map<Integer, String> homes = new HashMap<>();
    List<Repaired> repaired = new ArrayList<>();
    // Else one that strayed could return to a rack in which its place has been given away.
    for (int position : attempt.members().strayed()) {
      int node = attempt.members().nodeOf()[position];
      homes.put(position, attempt.state().node(node).uuid());
    }
    attempt
        .rootOf()
        .forEach(
            (position, node) -> {
              if (!attempt.standIns().containsKey(position)) {
                homes.put(position, attempt.state().node(node).uuid());
              }
              repaired.add(
                  new Repaired(
                      status.member(position).path(),
                      attempt.stripe().id(),
                      position,
                      attempt.stripe().member(position).block().name(),
                      attempt.state().name(node)));
            });
    nameHomes(attempt, homes);
    Faults.reach(FaultStep.REPAIR_HOMED, attempt.stripe().id());
    tidy(attempt, homes);
    watch.span("publish", attempt.stripe().shortId(), since);
    return repaired;
  }

  /**
   * Trims extra copies and pins the blocks. A failure is only logged: the blocks have their homes,
   * and the NameNode's guard does the same.
   */
  private void tidy(RepairAttempt attempt, Map<Integer, String> homes) {
    StripeStatus status = attempt.damaged().status();
    try {
      trim(attempt, session.nameNode().refreshed(status), homes);
      new Pins(session.workers())
          .pin(attempt.state(), session.nameNode().refreshed(status).singles());
    } catch (IOException e) {
      LOG.info("extra copies of stripe {} are left to later: {}", status.stripe().id(), e);
    }
  }

  private void nameHomes(RepairAttempt attempt, Map<Integer, String> homes) throws IOException {
    StripeStatus status = attempt.damaged().status();
    boolean named = false;
    for (int i = 1; !named; i++) {
      // Read anew: the NameNode's guard may name other members' homes meanwhile.
      Stripe stripe = session.nameNode().refreshed(status).stripe();
      requireSameHomes(attempt, stripe);
      named =
          session
              .nameNode()
              .changeStripe(session.lease(), status.parityPath(), stripe, stripe.withHomes(homes));
      if (!named && i == MOST_CHANGES) {
        throw new PlanFailedException(
            "stripe %s was described anew meanwhile, %d times".formatted(stripe.id(), i), null);
      }
    }
  }

  /** Drops surplus copies, as when the NameNode still counts a lost one; the copy at home stays. */
  private void trim(RepairAttempt attempt, StripeStatus status, Map<Integer, String> checked)
      throws IOException {
    List<String> refusals;
    try {
      new KeptCopies(checked).checkSurplus(session, status, attempt.state());
      refusals = session.nameNode().trimSurplus(session.lease(), status.stripe().id());
    } catch (PlanFailedException e) {
      refusals = List.of(String.valueOf(e.getMessage()));
    }
    if (!refusals.isEmpty()) {
      LOG.info("extra copies of stripe {} are left to later: {}", status.stripe().id(), refusals);
    }
  }

  /** Checks that the other members still have the homes beside which the new places were chosen. */
  private static void requireSameHomes(RepairAttempt attempt, Stripe now)
      throws PlanFailedException {
    Stripe before = attempt.stripe();
    for (int i : attempt.members().available()) {
      boolean named = attempt.rootOf().containsKey(i) || attempt.members().strayed().contains(i);
      if (!named && !before.member(i).home().equals(now.member(i).home())) {
        throw new PlanFailedException(
            before.member(i).block().name() + " got another home meanwhile", null);
      }
    }
  }
}
