package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.braid.plan.shape.RelocationPlanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a published stripe to its end: every member gets a verified copy at its home, then the
 * surplus replicas are dropped. It starts from what the namespace says, so that it does not matter
 * who published the stripe, or when.
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
   * @param files the numbers of those that are converted; others keep their replicas
   * @param kept copies at homes that were just checked; all others are before anything is dropped
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
      ClusterState state = session.sight().forAttempt(attempt);
      try {
        relocate(status, state, avoided, kept, random);
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
      }
      LOG.info("stripe {} is not trimmed yet: {}", stripeId, refusals);
      Waiting.pause(300L << attempt);
    }
    throw new IOException(stays(stripeId, refusals));
  }

  private static String stays(String stripeId, List<String> refusals) {
    return "the surplus replicas of stripe " + stripeId + " stay: " + inShort(refusals);
  }

  /** One reason says what to do; the others are mostly alike. */
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

  private void relocate(
      StripeStatus status,
      ClusterState state,
      Set<String> avoided,
      KeptCopies kept,
      SplittableRandom random)
      throws IOException {
    Stripe stripe = status.stripe();
    List<Integer> homeless = new ArrayList<>();
    int[] homes = new int[stripe.members().size()];
    for (int i = 0; i < homes.length; i++) {
      homes[i] = -1;
      if (stripe.isVirtual(i) || status.member(i).gone()) {
        continue;
      }
      homes[i] = state.indexOf(stripe.member(i).home()).orElse(-1);
      if (!isHeldAtHome(status, i, state)) {
        homeless.add(i);
      }
    }
    if (homeless.isEmpty()) {
      return;
    }
    Stripe placed = rehome(status, homes, homeless, state, avoided, random);
    // Even if unchanged: from now on the NameNode will not take a copy at a home for surplus.
    session.nameNode().changeStripe(session.lease(), status.parityPath(), stripe, placed);
    StripeStatus now =
        new StripeStatus(placed, status.parityPath(), status.parityInode(), status.members());
    // A home may have been changed to a node that has a replica.
    homeless.removeIf(i -> isHeldAtHome(now, i, state));
    for (int i : homeless) {
      awaitDeletion(status.member(i), placed.member(i), state);
    }
    for (int i : homeless) {
      move(now, i, state);
      kept.add(i, placed.member(i).home());
      relocated.incrementAndGet();
    }
  }

  /** Whether a block has a good replica at its home. */
  private static boolean isHeldAtHome(StripeStatus status, int position, ClusterState state) {
    OptionalInt home = state.indexOf(status.stripe().member(position).home());
    return home.isPresent()
        && Arrays.stream(state.readable(status.member(position).status()))
            .anyMatch(node -> node == home.getAsInt());
  }

  /**
   * Homes at nodes that cannot take blocks any more are given up for others, first for those that
   * have a replica.
   */
  private static Stripe rehome(
      StripeStatus status,
      int[] homes,
      List<Integer> homeless,
      ClusterState state,
      Set<String> avoided,
      SplittableRandom random)
      throws IOException {
    Stripe stripe = status.stripe();
    long length = stripe.blockLength();
    List<Integer> unfit =
        homeless.stream()
            .filter(
                i ->
                    homes[i] < 0
                        || !state.eligible(homes[i], length, StorageNeed.of(status, List.of(i)))
                        || avoided.contains(state.node(homes[i]).uuid()))
            .toList();
    if (unfit.isEmpty()) {
      return stripe;
    }
    List<int[]> staying = unfit.stream().map(i -> staying(status, i, state, avoided)).toList();
    try {
      int[] chosen =
          StorageNeed.of(status, unfit)
              .place(
                  state,
                  length,
                  node ->
                      !avoided.contains(state.node(node).uuid())
                          && !takesNoCopy(status, unfit, node, state),
                  nodes ->
                      RepairPlacement.atReplicas(
                          stripe.rule(state.topology()), nodes, homes, unfit, staying, random));
      Map<Integer, String> changed = new HashMap<>();
      for (int j = 0; j < chosen.length; j++) {
        int i = unfit.get(j);
        homes[i] = chosen[j];
        changed.put(i, state.node(chosen[j]).uuid());
      }
      return stripe.withHomes(changed);
    } catch (PlacementException e) {
      if (!avoided.isEmpty()) {
        // Too few others: those that failed are tried again.
        avoided.clear();
        return stripe;
      }
      throw new RefusedException(
          e.getMessage() + StorageNeed.of(status, unfit).lack(state, length), e);
    }
  }

  /**
   * A home that is about to delete a copy of the block must have done so first: HDFS would take the
   * new copy for the one that goes.
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

  /** The nodes at which a good replica of a block may stay. */
  private static int[] staying(
      StripeStatus status, int position, ClusterState state, Set<String> avoided) {
    BlockStatus block = status.member(position).status();
    int[] holders =
        Arrays.stream(state.readable(block))
            .filter(node -> state.eligible(node) && !avoided.contains(state.node(node).uuid()))
            .toArray();
    return StorageNeed.of(status, List.of(position)).staying(state, block, holders);
  }

  /**
   * Whether a node has a replica of one of some members that is no good, or about to be deleted:
   * there is no place for a copy then.
   */
  private static boolean takesNoCopy(
      StripeStatus status, List<Integer> members, int node, ClusterState state) {
    String uuid = state.node(node).uuid();
    return members.stream()
        .map(i -> status.member(i).status())
        .anyMatch(
            block ->
                block.going().contains(uuid)
                    || (block.replicas().stream().anyMatch(r -> r.node().equals(uuid))
                        && Arrays.stream(state.readable(block)).noneMatch(n -> n == node)));
  }

  private void move(StripeStatus status, int position, ClusterState state) throws IOException {
    Stripe stripe = status.stripe();
    MemberStatus member = status.member(position);
    BlockIdentity block = stripe.member(position).block();
    int[] sources = state.readable(member.status());
    if (sources.length == 0) {
      throw new IOException(
          block.name()
              + " of "
              + member.path()
              + " has no readable replica: run braid repair, then convert again");
    }
    int home = state.indexOf(stripe.member(position).home()).orElseThrow();
    Plan plan = RelocationPlanner.move(position, 1, sources[0], home);
    Session moving = session.with(session.background().because(Cause.RELOCATE));
    moving.run(plan, state, status, CellLayout.whole(block.length()), traffic);
    NewReplica.await(session, block, state.node(home).uuid(), REPORT_MILLIS);
    int crc = moving.verified(state, home, block).crc();
    if (crc != stripe.member(position).crc()) {
      throw PlanFailedException.at(
          home,
          block.name() + " reads back wrong at " + state.name(home) + " after its move",
          null);
    }
  }
}
