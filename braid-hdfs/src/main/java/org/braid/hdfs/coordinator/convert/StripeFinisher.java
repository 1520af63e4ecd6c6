package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.code.Solver;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.Claims;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.KeptCopies;
import org.braid.hdfs.coordinator.session.NewReplica;
import org.braid.hdfs.coordinator.session.Pins;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.StorageNeed;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.coordinator.session.Waiting;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.proto.BraidProtos.TrimResponseProto;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.PlacementException;
import org.braid.placement.rule.RepairPlacement;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.HelperOrder;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes a published stripe: every member gets a verified copy at its home, then the surplus
 * replicas are dropped. It reads all state from the namespace, so that any coordinator may have
 * published the stripe, at any time.
 */
final class StripeFinisher {
  private static final Logger LOG = LoggerFactory.getLogger(StripeFinisher.class);
  private static final int ATTEMPTS = 7;
  private static final long REPORT_MILLIS = 15_000;

  private final Session session;
  private final TrafficMeter traffic;
  private final AtomicInteger relocated;

  /**
   * @param traffic counts the bytes of relocations
   * @param relocated counts the blocks that moved, also those before a failure
   */
  StripeFinisher(Session session, TrafficMeter traffic, AtomicInteger relocated) {
    this.session = session;
    this.traffic = traffic;
    this.relocated = relocated;
  }

  /**
   * Relocates and trims.
   *
   * @param files the inodes of the files to convert; other files keep their replicas
   * @param kept copies at homes that were just checked; all others are checked before any replica
   *     is dropped
   * @throws IOException when surplus replicas could not be dropped; all of them are still there, or
   *     the copies at home are
   */
  void finish(Stripe stripe, Set<Long> files, KeptCopies kept, SplittableRandom random)
      throws IOException {
    try (Claims.Claim unused = session.claims().take(stripe.id())) {
      finishClaimed(stripe, files, kept, random);
    }
  }

  /** The same for a stripe that the caller has claimed. */
  void finishClaimed(Stripe stripe, Set<Long> files, KeptCopies kept, SplittableRandom random)
      throws IOException {
    new StripeFinisher(session.on(stripe.id()), traffic, relocated)
        .finish(stripe.id(), stripe.blockIds(), files, kept, random);
  }

  private void finish(
      String stripeId,
      List<Long> blockIds,
      Set<Long> files,
      KeptCopies kept,
      SplittableRandom random)
      throws IOException {
    List<String> refusals = List.of();
    Set<String> avoided = new HashSet<>();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      StripeStatus status = find(stripeId, blockIds);
      if (status.hasLostData()) {
        throw new LeftByUsersException(
            "CHANGED",
            "blocks of stripe "
                + stripeId
                + " were deleted or changed meanwhile: its other blocks keep their replicas, convert"
                + " them again");
      }
      ClusterState state = session.cluster().forAttempt(attempt);
      Homes homes = new Homes(status, state, avoided, kept);
      boolean failedBefore = !refusals.isEmpty();
      try {
        relocate(homes, random);
        kept.checkAll(session, find(stripeId, blockIds), state);
        Faults.reach(FaultStep.CONVERT_RELOCATED, stripeId);
        TrimResponseProto answer = session.nameNode().trim(session.lease(), stripeId, files);
        refusals = answer.getRefusalsList();
        if (!refusals.isEmpty() && !answer.getRepeatable()) {
          throw new LeftByUsersException("HELD", stays(stripeId, refusals));
        }
        if (refusals.isEmpty()) {
          Faults.reach(FaultStep.CONVERT_TRIMMED, stripeId);
          new Pins(session.workers()).pin(state, find(stripeId, blockIds).singles());
          return;
        }
      } catch (PlanFailedException e) {
        // For instance a home that has yet to delete the copy it had before.
        refusals = List.of(String.valueOf(e.getMessage()));
        // And a disk that has less room than its node says: another home then.
        e.failed().forEach(node -> avoided.add(state.node(node).uuid()));
      } catch (NoPlaceException e) {
        if (attempt == ATTEMPTS - 1 || !(failedBefore || homes.mayFindPlace())) {
          throw e.refusal();
        }
        refusals = List.of(String.valueOf(e.getMessage()));
      }
      LOG.info("stripe {} is not trimmed yet: {}", stripeId, refusals);
      Waiting.pause(300L << attempt);
    }
    throw new IOException(stays(stripeId, refusals));
  }

  private static String stays(String stripeId, List<String> refusals) {
    return "the surplus replicas of stripe " + stripeId + " stay: " + inShort(refusals);
  }

  /** Shortens refusals to the first reason and a count; the others are mostly alike. */
  static String inShort(List<String> refusals) {
    int more = refusals.size() - 1;
    return refusals.isEmpty()
        ? "no reason is given"
        : refusals.get(0)
            + (more == 0 ? "" : "; and %d more of its blocks likewise".formatted(more));
  }

  private StripeStatus find(String stripeId, List<Long> blockIds) throws IOException {
    for (StripeStatus status : session.nameNode().stripesOf(blockIds)) {
      if (status.stripe().id().equals(stripeId)) {
        return status;
      }
    }
    throw new IOException("stripe " + stripeId + " is not in the namespace any more");
  }

  private void relocate(Homes homes, SplittableRandom random) throws IOException, NoPlaceException {
    if (homes.homeless().isEmpty()) {
      return;
    }
    StripeStatus status = homes.status();
    Stripe placed = homes.placed(random);
    List<Equation> equations = homes.of(placed).equations();
    // Even if unchanged: from now on the NameNode will not take a copy at a home for surplus.
    boolean changed =
        session
            .nameNode()
            .changeStripe(session.lease(), status.parityPath(), status.stripe(), placed);
    if (!changed) {
      throw new PlanFailedException(
          "stripe %s was described anew meanwhile".formatted(placed.id()), null);
    }
    Homes now = homes.of(placed);
    // A home may have been changed to a node that has a replica.
    List<Integer> homeless = now.homeless();
    for (int i : homeless) {
      awaitDeletion(status.member(i), placed.member(i), homes.state());
    }
    if (!equations.isEmpty()) {
      rebuild(now, equations);
    }
    for (int i : homeless) {
      if (!now.lost().contains(i)) {
        move(now, i);
        relocated.incrementAndGet();
      }
      homes.kept().add(i, placed.member(i).home());
    }
  }

  /**
   * Checks that a home is not about to delete a copy of the block, for which HDFS would mistake the
   * new one. If it is, this attempt fails, and a later one tries again.
   */
  private static void awaitDeletion(MemberStatus member, Member placed, ClusterState state)
      throws IOException {
    if (member.status().going().contains(placed.home())) {
      throw new PlanFailedException(
          state.name(state.indexOf(placed.home()).orElseThrow())
              + " has yet to delete the copy of "
              + placed.block().name()
              + " that it had before",
          null);
    }
  }

  /** Rebuilds blocks without any replica, for example after the node of a parity has stopped. */
  private void rebuild(Homes homes, List<Equation> equations) throws IOException {
    Stripe stripe = homes.status().stripe();
    int[] sources = homes.sources();
    Network.Volume volume =
        Network.Volume.ofBlock(stripe.blockLength(), stripe.code().alpha(), session.slice());
    Plan plan =
        HelperOrder.plan(
            RepairPlanners.named("chain"),
            equations,
            position -> sources[position],
            homes::home,
            session.network(homes.state()).with(volume));
    session.run(plan, homes.state(), homes.status(), stripe.layout(), traffic);
    for (int position : homes.lost()) {
      awaitAndRead(session, homes, position);
    }
  }

  private void move(Homes homes, int position) throws IOException {
    BlockIdentity block = homes.status().stripe().member(position).block();
    int source = homes.source(position);
    Plan plan = RelocationPlanner.move(position, 1, source, homes.home(position));
    Session moving = session.with(session.background().because(Cause.RELOCATE));
    moving.run(plan, homes.state(), homes.status(), CellLayout.whole(block.length()), traffic);
    awaitAndRead(moving, homes, position);
  }

  private static void awaitAndRead(Session session, Homes homes, int position) throws IOException {
    ClusterState state = homes.state();
    Member member = homes.status().stripe().member(position);
    BlockIdentity block = member.block();
    int home = homes.home(position);
    NewReplica.await(session, block, state.node(home).uuid(), REPORT_MILLIS);
    if (session.verified(state, home, block).crc() != member.crc()) {
      throw PlanFailedException.at(
          home, block.name() + " reads back wrong at new home " + state.name(home), null);
    }
  }

  /** No node of the cluster, as last seen, can take a block. */
  static final class NoPlaceException extends Exception {
    private static final long serialVersionUID = 1L;

    private final RefusedException refusal;

    private NoPlaceException(RefusedException refusal) {
      super(refusal.getMessage(), refusal);
      this.refusal = refusal;
    }

    RefusedException refusal() {
      return refusal;
    }
  }

  /**
   * The homes at which the blocks of a published stripe get their copies.
   *
   * @param avoided nodes at which something failed
   * @param kept copies that were checked, and those that failed
   */
  record Homes(StripeStatus status, ClusterState state, Set<String> avoided, KeptCopies kept) {
    /** The same for a stripe with other homes. */
    Homes of(Stripe placed) {
      StripeStatus now =
          new StripeStatus(placed, status.parityPath(), status.parityInode(), status.members());
      return new Homes(now, state, avoided, kept);
    }

    /** The node of a block's home; -1 when the NameNode does not know it. */
    int home(int position) {
      return state.indexOf(status.stripe().member(position).home()).orElse(-1);
    }

    /** The nodes from which a good replica of a block can be read. */
    private int[] good(int position) {
      return Arrays.stream(state.readable(status.member(position).status()))
          .filter(node -> !kept.hasFailed(position, state.node(node).uuid()))
          .toArray();
    }

    private boolean isGood(int position, int node) {
      return Arrays.stream(good(position)).anyMatch(holder -> holder == node);
    }

    private boolean isAvoided(int node) {
      return avoided.contains(state.node(node).uuid());
    }

    /**
     * The blocks without a good replica at home, or whose home has left service or breaks the
     * stripe's rule.
     */
    List<Integer> homeless() {
      Set<Integer> misplaced = state.misplacedHomes(status.stripe());
      return IntStream.range(0, status.members().size())
          .filter(i -> !status.stripe().isVirtual(i) && !status.member(i).gone())
          .filter(i -> !isGood(i, home(i)) || !state.isInService(home(i)) || misplaced.contains(i))
          .boxed()
          .toList();
    }

    /** Blocks without a readable good replica. */
    List<Integer> lost() {
      return homeless().stream().filter(i -> source(i) < 0).toList();
    }

    /**
     * How the lost blocks are computed from the others.
     *
     * @throws PlanFailedException when one of them may return in a moment
     * @throws IOException when the others do not determine them
     */
    List<Equation> equations() throws IOException {
      List<Integer> lost = lost();
      if (lost.isEmpty()) {
        return List.of();
      }
      for (int i : lost) {
        if (mayReturn(i)) {
          throw new PlanFailedException(names(List.of(i)) + " for the moment", null);
        }
      }
      Stripe stripe = status.stripe();
      List<Integer> available =
          IntStream.range(0, status.members().size())
              .filter(i -> stripe.isVirtual(i) || source(i) >= 0)
              .boxed()
              .toList();
      return Solver.solve(stripe.code(), lost, available)
          .orElseThrow(
              () ->
                  new IOException(
                      names(lost)
                          + ", and its stripe's other blocks do not determine it: bring their"
                          + " DataNodes back, then convert again"));
    }

    private String names(List<Integer> positions) {
      int first = positions.get(0);
      int more = positions.size() - 1;
      return status.stripe().member(first).block().name()
          + " of "
          + status.member(first).path()
          + " has no readable replica"
          + (more == 0 ? "" : " (nor have %d more of its stripe)".formatted(more));
    }

    /** The nodes from which blocks are read; -1 where there is none. */
    int[] sources() {
      return IntStream.range(0, status.members().size()).map(this::source).toArray();
    }

    /** The node to read a block from, preferably one at which nothing failed; -1 for none. */
    int source(int position) {
      if (status.stripe().isVirtual(position) || status.member(position).gone()) {
        return -1;
      }
      int[] sources = good(position);
      return Arrays.stream(sources)
          .filter(node -> !isAvoided(node))
          .findFirst()
          .orElse(sources.length == 0 ? -1 : sources[0]);
    }

    /** Whether a replica of a block is on a node that fell silent a moment ago. */
    private boolean mayReturn(int position) {
      return status.member(position).status().replicas().stream()
          .filter(replica -> !replica.corrupt())
          .map(replica -> state.indexOf(replica.node()))
          .anyMatch(node -> node.isPresent() && state.isSilentForAMoment(node.getAsInt()));
    }

    /**
     * The stripe with all homes at nodes that can take their blocks. Where there are too few
     * others, nodes at which something failed are tried again.
     */
    Stripe placed(SplittableRandom random) throws NoPlaceException {
      // A node may get another copy of a block, which is not on its disk for sure.
      homeless().forEach(kept::forget);
      try {
        return rehome(random);
      } catch (PlacementException e) {
        boolean forgiven = kept.forgive();
        if (avoided.isEmpty() && !forgiven) {
          throw refused(e);
        }
      }
      avoided.clear();
      try {
        return rehome(random);
      } catch (PlacementException e) {
        throw refused(e);
      }
    }

    private NoPlaceException refused(PlacementException e) {
      String lack = StorageNeed.of(status, homeless()).lack(state, status.stripe().blockLength());
      return new NoPlaceException(new RefusedException(e.getMessage() + lack, e));
    }

    /** Whether a node may soon be able to take the blocks. */
    boolean mayFindPlace() {
      return status.members().stream().anyMatch(member -> !member.status().going().isEmpty())
          || !state.silentForAMoment().isEmpty();
    }

    /**
     * Replaces homes at nodes that cannot take blocks any more, preferably by nodes with a replica.
     */
    private Stripe rehome(SplittableRandom random) {
      Stripe stripe = status.stripe();
      long length = stripe.blockLength();
      List<Integer> unfit = homeless().stream().filter(i -> !isFit(i)).toList();
      if (unfit.isEmpty()) {
        return stripe;
      }
      int[] homes =
          IntStream.range(0, status.members().size())
              .map(i -> stripe.isVirtual(i) || status.member(i).gone() ? -1 : home(i))
              .toArray();
      List<int[]> staying = unfit.stream().map(this::staying).toList();
      int[] chosen =
          StorageNeed.of(status, unfit)
              .place(
                  state,
                  length,
                  node -> !isAvoided(node) && !takesNoCopy(unfit, node),
                  nodes ->
                      RepairPlacement.atReplicas(
                          stripe.rule(state.topology()), nodes, homes, unfit, staying, random));
      Map<Integer, String> changed = new HashMap<>();
      for (int j = 0; j < chosen.length; j++) {
        changed.put(unfit.get(j), state.node(chosen[j]).uuid());
      }
      return stripe.withHomes(changed);
    }

    /** Whether a block without a good replica at home can be copied there. */
    private boolean isFit(int position) {
      int home = home(position);
      return home >= 0
          && !state.misplacedHomes(status.stripe()).contains(position)
          && state.eligible(
              home, status.stripe().blockLength(), StorageNeed.of(status, List.of(position)))
          && !isAvoided(home)
          && !kept.hasFailed(position, state.node(home).uuid());
    }

    /** The nodes at which a good replica of a block may stay. */
    private int[] staying(int position) {
      int[] holders =
          Arrays.stream(good(position))
              .filter(node -> state.eligible(node) && !isAvoided(node))
              .toArray();
      return StorageNeed.of(status, List.of(position))
          .staying(state, status.member(position).status(), holders);
    }

    /**
     * Whether a node has a bad replica of one of the blocks, or is about to delete one, so that it
     * cannot take a copy.
     */
    private boolean takesNoCopy(List<Integer> positions, int node) {
      String uuid = state.node(node).uuid();
      return positions.stream()
          .anyMatch(
              i -> {
                BlockStatus block = status.member(i).status();
                return block.isTiedTo(uuid) && (block.going().contains(uuid) || !isGood(i, node));
              });
    }
  }
}
