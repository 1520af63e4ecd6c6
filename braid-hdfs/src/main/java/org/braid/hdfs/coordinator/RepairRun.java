package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.braid.engine.CellLayout;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.hdfs.coordinator.Stripes.BadReplicas;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.plan.HelperChoice;
import org.braid.plan.HelperOrder;
import org.braid.plan.Network;
import org.braid.plan.Plan;
import org.braid.plan.RelocationPlanner;
import org.braid.plan.RepairPlanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs an attempt to repair a stripe: rebuilds, verifies what is new, names the homes. */
final class RepairRun {
  private static final Logger LOG = LoggerFactory.getLogger(RepairRun.class);
  private static final long REPORT_MILLIS = 15_000;

  private final Session session;
  private final RepairPlanner planner;
  private final TrafficMeter traffic;
  private final BadReplicas bad;
  private final Stopwatch watch;

  /**
   * Ready to run.
   *
   * @param watch notes the steps
   */
  RepairRun(
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

  /** What was rebuilt, and how. */
  record Done(List<Repaired> repaired, PlanView plan) {}

  /**
   * Runs an attempt to its end.
   *
   * @throws PlanRun.PlanFailed when another attempt may do better
   */
  Done run(RepairAttempt attempt) throws IOException {
    StripeProto stripe = attempt.status().getStripe();
    String name = Stripes.shortId(stripe);
    Faults.reach(FaultStep.REPAIR_PLANNED, stripe.getId());
    double begun = watch.seconds();
    PlanView view = rebuild(attempt);
    watch.span("rebuild", name, begun);
    Faults.reach(FaultStep.REPAIR_REBUILT, stripe.getId());
    double rebuilt = watch.seconds();
    verify(attempt);
    watch.span("verify", name, rebuilt);
    Faults.reach(FaultStep.REPAIR_VERIFIED, stripe.getId());
    double verified = watch.seconds();
    List<Repaired> repaired = publish(attempt);
    Faults.reach(FaultStep.REPAIR_HOMED, stripe.getId());
    // Where the NameNode still counts the lost copy, one too many is listed; the one at home stays.
    List<String> refusals = session.nameNode().trim(session.lease(), stripe.getId());
    if (!refusals.isEmpty()) {
      LOG.info("extra copies of stripe {} are left to later: {}", stripe.getId(), refusals);
    }
    new Pins(session.workers())
        .pin(
            attempt.state(), StripeFinisher.single(session.nameNode().refreshed(attempt.status())));
    watch.span("publish", name, verified);
    return new Done(repaired, view);
  }

  /** Rebuilds what is lost, then moves what is in a wrong place. */
  private PlanView rebuild(RepairAttempt attempt) throws IOException {
    StripeProto stripe = attempt.status().getStripe();
    PlanView view = PlanViews.none(stripe, planner);
    if (!attempt.members().lost().isEmpty()) {
      Plan plan = plan(attempt);
      view =
          PlanViews.of(
              stripe.getId(),
              planner.name(),
              attempt.state(),
              plan,
              session.run(plan, attempt.state(), stripe, Stripes.layout(stripe), traffic));
    }
    for (int position : attempt.members().misplaced().keySet()) {
      Integer to = attempt.rootOf().get(position);
      if (to != null) {
        int from = attempt.members().nodeOf()[position];
        Plan move = RelocationPlanner.move(position, 1, from, to);
        long length = stripe.getMembers(position).getBlock().getLength();
        session.run(move, attempt.state(), stripe, CellLayout.whole(length), traffic);
      }
    }
    return view;
  }

  private void verify(RepairAttempt attempt) throws IOException {
    List<Parallel.Task> tasks = new ArrayList<>();
    attempt.rootOf().forEach((position, node) -> tasks.add(() -> verify(attempt, position, node)));
    for (int position : attempt.members().strayed()) {
      tasks.add(() -> verify(attempt, position, attempt.members().nodeOf()[position]));
    }
    Parallel.run(tasks.size(), tasks);
  }

  private void verify(RepairAttempt attempt, int position, int node) throws IOException {
    MemberProto member = attempt.status().getStripe().getMembers(position);
    BlockProto block = member.getBlock();
    StripeFinisher.awaitReplica(
        session, block, attempt.state().node(node).getUuid(), REPORT_MILLIS);
    int crc = session.workers().verify(attempt.state().node(node), block);
    if (crc != member.getCrc32C()) {
      bad.add(block.getId(), node);
      throw new PlanRun.PlanFailed(
          Stripes.name(block) + " reads back wrong at " + attempt.state().name(node),
          null,
          Set.of(),
          Set.of(node));
    }
  }

  private List<Repaired> publish(RepairAttempt attempt) throws IOException {
    // Read anew: the NameNode's guard may have named other members' homes meanwhile.
    StripeProto.Builder changed =
        session.nameNode().refreshed(attempt.status()).getStripe().toBuilder();
    requireSameHomes(attempt, changed);
    List<Repaired> repaired = new ArrayList<>();
    // Else one that strayed could return to a rack in which its place has been given away.
    for (int position : attempt.members().strayed()) {
      int node = attempt.members().nodeOf()[position];
      changed.getMembersBuilder(position).setHome(attempt.state().node(node).getUuid());
    }
    attempt
        .rootOf()
        .forEach(
            (position, node) -> {
              changed.getMembersBuilder(position).setHome(attempt.state().node(node).getUuid());
              repaired.add(
                  new Repaired(
                      attempt.status().getMembers(position).getPath(),
                      changed.getId(),
                      position,
                      Stripes.name(changed.getMembers(position).getBlock()),
                      attempt.state().name(node)));
            });
    session
        .nameNode()
        .putStripe(session.lease(), attempt.status().getParityPath(), changed.build());
    return repaired;
  }

  /** The new places were chosen beside the homes of the other members. */
  private static void requireSameHomes(RepairAttempt attempt, StripeProto.Builder now)
      throws PlanRun.PlanFailed {
    StripeProto before = attempt.status().getStripe();
    for (int i : attempt.members().available()) {
      boolean named = attempt.rootOf().containsKey(i) || attempt.members().strayed().contains(i);
      if (!named && !before.getMembers(i).getHome().equals(now.getMembers(i).getHome())) {
        throw new PlanRun.PlanFailed(
            Stripes.name(before.getMembers(i).getBlock()) + " got another home meanwhile",
            null,
            Set.of(),
            Set.of());
      }
    }
  }

  private Plan plan(RepairAttempt attempt) throws RefusedException {
    int[] nodeOf = attempt.members().nodeOf();
    Network network =
        session
            .network(attempt.state())
            .with(
                Network.Volume.ofBlock(
                    Stripes.length(attempt.status().getStripe()),
                    attempt.code().alpha(),
                    session.slice()));
    boolean readable =
        attempt.equations().stream()
            .flatMap(equation -> equation.terms().stream())
            .allMatch(term -> attempt.members().available().contains(term.source().block()));
    if (readable && !attempt.equations().isEmpty()) {
      return HelperOrder.plan(
          planner, attempt.equations(), block -> nodeOf[block], attempt::root, network);
    }
    return new HelperChoice(
            attempt.code(),
            attempt.members().lost(),
            attempt.members().available(),
            block -> nodeOf[block],
            attempt::root,
            network)
        .plan(planner)
        .orElseThrow(() -> new RefusedException("the stripe cannot be decoded"));
  }
}
