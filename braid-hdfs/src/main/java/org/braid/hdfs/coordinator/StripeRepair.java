package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
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
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.placement.PlacementException;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;
import org.braid.plan.HelperChoice;
import org.braid.plan.HelperOrder;
import org.braid.plan.Network;
import org.braid.plan.Plan;
import org.braid.plan.RelocationPlanner;
import org.braid.plan.RepairPlanner;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairSchedulers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the lost blocks of one stripe in one plan, moves those whose one copy stands where the
 * stripe's limits forbid it, verifies what is new and names the homes.
 */
final class StripeRepair {
  private static final Logger LOG = LoggerFactory.getLogger(StripeRepair.class);
  private static final int ATTEMPTS = 4;
  private static final long REPORT_MILLIS = 15_000;
  private static final long WAIT_MILLIS = 20_000;

  private final Session session;
  private final RepairPlanner planner;
  private final TrafficMeter traffic;
  private final BadReplicas bad;
  private final long silentUntil;
  private final Stopwatch watch;

  /** Nodes at which a rebuilt block could not be stored. */
  private final Set<String> avoided = new LinkedHashSet<>();

  /**
   * A repair.
   *
   * @param silentUntil by {@link System#nanoTime}, how long silent nodes are waited for when there
   *     is no place without them
   * @param watch notes the steps
   */
  StripeRepair(
      Session session,
      RepairPlanner planner,
      TrafficMeter traffic,
      BadReplicas bad,
      long silentUntil,
      Stopwatch watch) {
    this.session = session;
    this.watch = watch;
    this.silentUntil = silentUntil;
    this.planner = planner;
    this.traffic = traffic;
    this.bad = bad;
  }

  /**
   * What was rebuilt, and how.
   *
   * @param beyond positions of lost blocks that those left do not determine
   * @param reason why, empty when there are none
   */
  record Done(List<Repaired> repaired, PlanView plan, List<Integer> beyond, String reason) {}

  private record Attempt(
      StripeStatusProto status,
      ClusterState state,
      Members members,
      ErasureCode code,
      Map<Integer, Integer> rootOf,
      List<Equation> equations,
      List<Integer> beyond,
      String reason) {
    int root(int position) {
      return Objects.requireNonNull(rootOf.get(position), "no node is chosen for a lost block");
    }
  }

  /** Repairs a stripe; helpers that fail are left out and the plan is made anew. */
  Done repair(StripeStatusProto first, SplittableRandom random) throws IOException {
    try (Claims.Claim claim = session.claims().take(first.getStripe().getId())) {
      return repairClaimed(claim.waited() ? refresh(first) : first, random);
    }
  }

  /**
   * Repairs a stripe as it was scheduled.
   *
   * @throws AttemptFailed when that did not go well; it may be scheduled anew
   */
  Done repair(StripeStatusProto first, Preference preference) throws IOException {
    try (Claims.Claim unused = session.claims().take(first.getStripe().getId())) {
      // It waited for its turn, and others may have been at work.
      StripeStatusProto status = refresh(first);
      ClusterState state = session.sight().lately();
      Members members = Members.of(status, state, bad);
      requireAny(status.getStripe(), members);
      if (!members.damaged()) {
        return new Done(List.of(), emptyView(status.getStripe()), List.of(), "");
      }
      Attempt attempt = scheduled(status, state, members, preference);
      try {
        return run(attempt);
      } catch (PlanRun.PlanFailed e) {
        Set<Integer> helpers = learn(attempt, e);
        throw new AttemptFailed(String.valueOf(e.getMessage()), e, helpers, avoided);
      }
    }
  }

  /** An attempt as it was scheduled, if it still can be. */
  private Attempt scheduled(
      StripeStatusProto status, ClusterState state, Members all, Preference preference)
      throws AttemptFailed {
    StripeProto stripe = status.getStripe();
    ErasureCode code = Stripes.code(stripe);
    List<Integer> beyond = all.beyond(code);
    Members members = all.without(beyond);
    if (!preference.destinations().keySet().equals(Set.copyOf(members.homeless()))) {
      throw new AttemptFailed(
          "blocks %s were to get a place, now it is %s"
              .formatted(new TreeSet<>(preference.destinations().keySet()), members.homeless()),
          Set.of());
    }
    StripeRule rule = Stripes.rule(stripe, state);
    int[] places = members.placeOf().clone();
    members.homeless().forEach(position -> places[position] = StripeRule.NOWHERE);
    Map<Integer, Integer> rootOf = new TreeMap<>();
    for (int position : members.homeless()) {
      String uuid = Objects.requireNonNull(preference.destinations().get(position));
      OptionalInt node = state.indexOf(uuid);
      boolean fits =
          node.isPresent()
              && state.eligible(node.getAsInt(), Stripes.length(stripe))
              && noReplicaThere(status, members.homeless(), node.getAsInt(), state)
              && rule.fits(state.topology(), places, position, node.getAsInt());
      if (!fits) {
        String name = node.isPresent() ? state.name(node.getAsInt()) : uuid;
        throw new AttemptFailed(name + " cannot take a block any more", Set.of(uuid));
      }
      places[position] = node.getAsInt();
      rootOf.put(position, node.getAsInt());
    }
    String reason = beyond.isEmpty() ? "" : shortage(code, all);
    return new Attempt(
        status, state, members, code, rootOf, preference.equations(), beyond, reason);
  }

  private Done repairClaimed(StripeStatusProto first, SplittableRandom random) throws IOException {
    StripeStatusProto status = first;
    IOException failure = new IOException("nothing was tried");
    for (int i = 0; i < ATTEMPTS; i++) {
      Attempt attempt = prepareOncePossible(status, random);
      if (attempt.rootOf().isEmpty()) {
        return done(attempt, List.of(), emptyView(status.getStripe()));
      }
      try {
        return run(attempt);
      } catch (PlanRun.PlanFailed e) {
        LOG.warn("attempt {} at stripe {}: {}", i + 1, status.getStripe().getId(), e.getMessage());
        learn(attempt, e);
        failure = e;
      }
      status = refresh(status);
    }
    throw new IOException(
        ATTEMPTS + " attempts failed, the last: " + failure.getMessage(), failure);
  }

  /**
   * Prepares an attempt. Nodes that are about to delete a surplus copy cannot take a new one yet,
   * and nodes that are silent for a moment may answer again: if the stripe fits nowhere without
   * them, they are waited for.
   */
  private Attempt prepareOncePossible(StripeStatusProto first, SplittableRandom random)
      throws IOException {
    StripeStatusProto status = first;
    long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
    while (true) {
      ClusterState state = session.sight().now();
      Members members = Members.of(status, state, bad);
      requireAny(status.getStripe(), members);
      try {
        return prepare(status, state, members, random);
      } catch (RefusedException e) {
        if (!avoided.isEmpty()) {
          avoided.clear(); // better a node that failed once than none
          continue;
        }
        boolean deleting =
            status.getMembersList().stream().anyMatch(m -> m.getStatus().getGoingCount() > 0);
        long now = System.nanoTime();
        boolean returning = state.hasSilent() || returning(status, members, state);
        boolean waits = (deleting && now - end < 0) || (returning && now - silentUntil < 0);
        if (!waits) {
          LOG.warn("stripe {} finds no place: {}", status.getStripe().getId(), state.unfit(status));
          throw e;
        }
      }
      Waiting.pause(200);
      status = refresh(status);
    }
  }

  /**
   * Whether a lost block may only seem so: a restarted NameNode lists copies before it knows that
   * their disks are well.
   */
  private static boolean returning(StripeStatusProto status, Members members, ClusterState state) {
    return members.lost().stream()
        .flatMap(i -> status.getMembers(i).getStatus().getReplicasList().stream())
        .filter(replica -> !replica.getLive() && !replica.getCorrupt())
        .map(replica -> state.indexOf(replica.getNode()))
        .anyMatch(node -> node.isPresent() && state.answers(node.getAsInt()));
  }

  private PlanView emptyView(StripeProto stripe) {
    return new PlanView(stripe.getId(), planner.name(), List.of(), List.of());
  }

  private StripeStatusProto refresh(StripeStatusProto status) throws IOException {
    return refresh(session, status);
  }

  /** What the NameNode knows of a stripe now. */
  static StripeStatusProto refresh(Session session, StripeStatusProto status) throws IOException {
    return session.nameNode().stripesOf(StripeFinisher.blockIds(status.getStripe())).stream()
        .filter(s -> s.getStripe().getId().equals(status.getStripe().getId()))
        .findFirst()
        .orElse(status);
  }

  private static Done done(Attempt attempt, List<Repaired> repaired, PlanView view) {
    return new Done(repaired, view, attempt.beyond(), attempt.reason());
  }

  /** Refuses a stripe of which nothing can be had back. */
  private static void requireAny(StripeProto stripe, Members members) throws RefusedException {
    ErasureCode code = Stripes.code(stripe);
    List<Integer> beyond = members.beyond(code);
    if (!beyond.isEmpty() && members.without(beyond).homeless().isEmpty()) {
      throw new RefusedException(shortage(code, members));
    }
  }

  private static String shortage(ErasureCode code, Members members) {
    return Stripes.supply(code, members.available().size())
        + ": "
        + members.lost().size()
        + " are on nodes that do not answer"
        + (members.gone().isEmpty()
            ? ""
            : ", " + members.gone().size() + " were deleted or changed since encoding");
  }

  /** Blocks that nothing determines are given up; a local group may still give others back. */
  private Attempt prepare(
      StripeStatusProto status, ClusterState state, Members all, SplittableRandom random)
      throws IOException {
    StripeProto stripe = status.getStripe();
    ErasureCode code = Stripes.code(stripe);
    List<Integer> beyond = all.beyond(code);
    String reason = beyond.isEmpty() ? "" : shortage(code, all);
    Members members = all.without(beyond);
    Map<Integer, Integer> rootOf;
    try {
      rootOf = roots(status, state, members, members.homeless(), random);
    } catch (PlacementException e) {
      if (members.lost().isEmpty() || members.misplaced().isEmpty()) {
        throw StripeWriter.refused(e);
      }
      // To have the lost blocks back comes before moving those that are in a wrong place.
      LOG.warn("stripe {}: {}", stripe.getId(), e.getMessage());
      try {
        rootOf = roots(status, state, members, members.lost(), random);
      } catch (PlacementException lost) {
        throw StripeWriter.refused(lost);
      }
    }
    return new Attempt(status, state, members, code, rootOf, List.of(), beyond, reason);
  }

  private Map<Integer, Integer> roots(
      StripeStatusProto status,
      ClusterState state,
      Members members,
      List<Integer> homeless,
      SplittableRandom random) {
    Topology topology = state.topology();
    Set<Integer> forbidden = new TreeSet<>();
    avoided.forEach(uuid -> state.indexOf(uuid).ifPresent(forbidden::add));
    LostStripe lost = LostStripes.of(status, members, homeless, state, topology);
    forbidden.addAll(lost.notes().forbidden());
    long length = Stripes.length(status.getStripe());
    return RepairSchedulers.places(
        lost.with(lost.notes().withForbidden(forbidden)),
        LostStripes.servers(topology, state, new int[topology.nodes()], length),
        random);
  }

  /**
   * A node with a replica of a block cannot take another beside it. Nor can one whose old copy is
   * about to be deleted: the NameNode would delete the new copy in its place.
   */
  static boolean noReplicaThere(
      StripeStatusProto status, List<Integer> homeless, int node, ClusterState state) {
    String uuid = state.node(node).getUuid();
    return homeless.stream()
        .map(i -> status.getMembers(i).getStatus())
        .noneMatch(
            block ->
                block.getGoingList().contains(uuid)
                    || block.getReplicasList().stream().anyMatch(r -> r.getNode().equals(uuid)));
  }

  private Plan plan(Attempt attempt) throws RefusedException {
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

  private Done run(Attempt attempt) throws IOException {
    StripeProto stripe = attempt.status().getStripe();
    String name = Stripes.shortId(stripe);
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
        .pin(attempt.state(), StripeFinisher.single(refresh(attempt.status())));
    watch.span("publish", name, verified);
    return done(attempt, repaired, view);
  }

  /** Rebuilds what is lost, then moves what is in a wrong place. */
  private PlanView rebuild(Attempt attempt) throws IOException {
    StripeProto stripe = attempt.status().getStripe();
    PlanView view = emptyView(stripe);
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

  private void verify(Attempt attempt) throws IOException {
    List<Parallel.Task> tasks = new ArrayList<>();
    attempt.rootOf().forEach((position, node) -> tasks.add(() -> verify(attempt, position, node)));
    for (int position : attempt.members().strayed()) {
      tasks.add(() -> verify(attempt, position, attempt.members().nodeOf()[position]));
    }
    Parallel.run(tasks.size(), tasks);
  }

  private void verify(Attempt attempt, int position, int node) throws IOException {
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

  private List<Repaired> publish(Attempt attempt) throws IOException {
    // Read anew: the NameNode's guard may have named other members' homes meanwhile.
    StripeProto.Builder changed = refresh(attempt.status()).getStripe().toBuilder();
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
  private static void requireSameHomes(Attempt attempt, StripeProto.Builder now)
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

  /**
   * After a failure: every helper is read from its disk, and bad copies are known as such.
   *
   * @return positions of helpers that failed although their copies are well
   */
  private Set<Integer> learn(Attempt attempt, PlanRun.PlanFailed failure) {
    StripeProto stripe = attempt.status().getStripe();
    int[] nodeOf = attempt.members().nodeOf();
    boolean found = !failure.silent().isEmpty();
    for (int i : attempt.members().available()) {
      if (nodeOf[i] < 0 || failure.silent().contains(nodeOf[i])) {
        continue;
      }
      BlockProto block = stripe.getMembers(i).getBlock();
      try {
        int crc = session.workers().verify(attempt.state().node(nodeOf[i]), block);
        if (crc == stripe.getMembers(i).getCrc32C()) {
          continue;
        }
        LOG.warn("{} at {} is not what was encoded", Stripes.name(block), nodeOf[i]);
      } catch (IOException e) {
        LOG.warn(
            "{} at {}: {}", Stripes.name(block), attempt.state().name(nodeOf[i]), e.getMessage());
      }
      bad.add(block.getId(), nodeOf[i]);
      found = true;
    }
    if (!found) {
      Set<Integer> roots = new TreeSet<>(attempt.rootOf().values());
      roots.retainAll(failure.failed());
      roots.forEach(node -> avoided.add(attempt.state().node(node).getUuid()));
    }
    Set<Integer> helpers = new TreeSet<>();
    for (int i : attempt.members().available()) {
      if (nodeOf[i] >= 0 && failure.failed().contains(nodeOf[i])) {
        helpers.add(i);
      }
    }
    return helpers;
  }
}
