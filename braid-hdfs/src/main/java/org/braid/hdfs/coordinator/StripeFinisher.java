package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.braid.engine.CellLayout;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.MemberStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.placement.PlacementException;
import org.braid.plan.Plan;
import org.braid.plan.RelocationPlanner;
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
   * @throws IOException when surplus replicas could not be dropped; all of them are still there, or
   *     the copies at home are
   */
  void finish(String stripeId, List<Long> blockIds, SplittableRandom random) throws IOException {
    try (Claims.Claim unused = session.claims().take(stripeId)) {
      finishClaimed(stripeId, blockIds, random);
    }
  }

  private void finishClaimed(String stripeId, List<Long> blockIds, SplittableRandom random)
      throws IOException {
    List<String> refusals = List.of();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      StripeStatusProto status = find(stripeId, blockIds);
      ClusterState state = session.sight().forAttempt(attempt);
      try {
        relocate(status, state, random);
        Faults.reach(FaultStep.CONVERT_RELOCATED, stripeId);
        refusals = session.nameNode().trim(session.lease(), stripeId);
        if (refusals.isEmpty()) {
          Faults.reach(FaultStep.CONVERT_TRIMMED, stripeId);
          new Pins(session.workers()).pin(state, single(find(stripeId, blockIds)));
          return;
        }
      } catch (PlanRun.PlanFailed e) {
        // For instance a home that has yet to delete the copy it had before.
        refusals = List.of(String.valueOf(e.getMessage()));
      }
      LOG.info("stripe {} is not trimmed yet: {}", stripeId, refusals);
      Waiting.pause(300L << attempt);
    }
    throw new IOException(
        "the surplus replicas of stripe " + stripeId + " stay: " + String.join("; ", refusals));
  }

  /** The stripe's blocks of which there is one copy. */
  static List<BlockStatusProto> single(StripeStatusProto status) {
    return status.getMembersList().stream()
        .filter(m -> m.hasStatus() && !m.getGone())
        .map(MemberStatusProto::getStatus)
        .filter(block -> block.getExpected() == 1 && block.getReplicasCount() == 1)
        .toList();
  }

  private StripeStatusProto find(String stripeId, List<Long> blockIds) throws IOException {
    for (StripeStatusProto status : session.nameNode().stripesOf(blockIds)) {
      if (status.getStripe().getId().equals(stripeId)) {
        return status;
      }
    }
    throw new IOException("stripe " + stripeId + " is not in the namespace any more");
  }

  private void relocate(StripeStatusProto status, ClusterState state, SplittableRandom random)
      throws IOException {
    StripeProto stripe = status.getStripe();
    List<Integer> homeless = new ArrayList<>();
    int[] homes = new int[stripe.getMembersCount()];
    for (int i = 0; i < homes.length; i++) {
      homes[i] = -1;
      if (Stripes.isVirtual(stripe, i) || status.getMembers(i).getGone()) {
        continue;
      }
      OptionalInt home = state.indexOf(stripe.getMembers(i).getHome());
      homes[i] = home.orElse(-1);
      if (home.isEmpty() || !holds(state, status.getMembers(i), homes[i])) {
        homeless.add(i);
      }
    }
    if (homeless.isEmpty()) {
      return;
    }
    StripeProto placed = rehome(status, homes, homeless, state, random);
    // Even if unchanged: from now on the NameNode will not take a copy at a home for surplus.
    session.nameNode().putStripe(session.lease(), status.getParityPath(), placed);
    for (int i : homeless) {
      awaitDeletion(status.getMembers(i), placed.getMembers(i), state);
    }
    for (int i : homeless) {
      move(placed, status.getMembers(i), i, state);
      relocated.incrementAndGet();
    }
  }

  private static boolean holds(ClusterState state, MemberStatusProto member, int node) {
    for (int holder : state.readable(member.getStatus())) {
      if (holder == node) {
        return true;
      }
    }
    return false;
  }

  /** Homes at nodes that cannot take blocks any more are given up for others. */
  private static StripeProto rehome(
      StripeStatusProto status,
      int[] homes,
      List<Integer> homeless,
      ClusterState state,
      SplittableRandom random)
      throws IOException {
    StripeProto stripe = status.getStripe();
    long length = Stripes.length(stripe);
    List<Integer> unfit =
        homeless.stream().filter(i -> homes[i] < 0 || !state.eligible(homes[i], length)).toList();
    if (unfit.isEmpty()) {
      return stripe;
    }
    try {
      int[] chosen =
          Stripes.rule(stripe, state)
              .destinations(
                  state.topology(),
                  node ->
                      state.eligible(node, length)
                          && !going(status, unfit, state.node(node).getUuid()),
                  homes,
                  unfit,
                  random);
      StripeProto.Builder changed = stripe.toBuilder();
      for (int j = 0; j < chosen.length; j++) {
        int i = unfit.get(j);
        homes[i] = chosen[j];
        changed.getMembersBuilder(i).setHome(state.node(chosen[j]).getUuid());
      }
      return changed.build();
    } catch (PlacementException e) {
      throw StripeWriter.refused(e);
    }
  }

  /**
   * A home that is about to delete a copy of the block must have done so first: HDFS would take the
   * new copy for the one that goes.
   */
  private static void awaitDeletion(
      MemberStatusProto member, MemberProto placed, ClusterState state) throws IOException {
    if (member.getStatus().getGoingList().contains(placed.getHome())) {
      throw new PlanRun.PlanFailed(
          state.name(state.indexOf(placed.getHome()).orElseThrow())
              + " has yet to delete the copy of "
              + Stripes.name(placed.getBlock())
              + " that it had before",
          null,
          Set.of(),
          Set.of());
    }
  }

  /** Whether a copy of one of some members is about to be deleted at a node. */
  private static boolean going(StripeStatusProto status, List<Integer> members, String uuid) {
    return members.stream()
        .anyMatch(i -> status.getMembers(i).getStatus().getGoingList().contains(uuid));
  }

  private void move(StripeProto stripe, MemberStatusProto member, int position, ClusterState state)
      throws IOException {
    BlockProto block = stripe.getMembers(position).getBlock();
    int[] sources = state.readable(member.getStatus());
    if (sources.length == 0) {
      throw new IOException(
          Stripes.name(block)
              + " of "
              + member.getPath()
              + " has no readable replica: run braid repair, then convert again");
    }
    int home = state.indexOf(stripe.getMembers(position).getHome()).orElseThrow();
    Plan plan = RelocationPlanner.move(position, 1, sources[0], home);
    session.run(plan, state, stripe, CellLayout.whole(block.getLength()), traffic);
    awaitReplica(session, block, state.node(home).getUuid(), REPORT_MILLIS);
    int crc = session.workers().verify(state.node(home), block);
    if (crc != stripe.getMembers(position).getCrc32C()) {
      throw new IOException(
          Stripes.name(block) + " reads back wrong at " + state.name(home) + " after its move");
    }
  }

  /**
   * Waits until the NameNode lists a copy that a DataNode has just published.
   *
   * @throws PlanRun.PlanFailed when it does not, or when it has the copy deleted: HDFS takes a new
   *     copy for an older one there that was to go
   */
  static void awaitReplica(Session session, BlockProto block, String uuid, long millis)
      throws IOException {
    AtomicBoolean listed = new AtomicBoolean();
    Waiting.until(
        millis,
        () -> {
          List<BlockStatusProto> statuses = listed(session, block);
          listed.set(
              statuses.stream()
                  .flatMap(status -> status.getReplicasList().stream())
                  .anyMatch(r -> r.getNode().equals(uuid) && r.getLive()));
          return listed.get() || statuses.stream().anyMatch(s -> s.getGoingList().contains(uuid));
        });
    if (!listed.get()) {
      throw new PlanRun.PlanFailed(
          notListed(session, block, uuid, millis), null, Set.of(), Set.of());
    }
  }

  private static List<BlockStatusProto> listed(Session session, BlockProto block)
      throws IOException {
    return session.nameNode().stripesOf(List.of(block.getId())).stream()
        .flatMap(stripe -> stripe.getMembersList().stream())
        .filter(m -> m.hasStatus() && m.getStatus().getBlock().equals(block))
        .map(MemberStatusProto::getStatus)
        .toList();
  }

  private static String notListed(Session session, BlockProto block, String uuid, long millis)
      throws IOException {
    List<BlockStatusProto> statuses = listed(session, block);
    List<String> copies =
        statuses.stream()
            .flatMap(status -> status.getReplicasList().stream())
            .map(r -> r.getNode() + (r.getLive() ? "" : " (not live)"))
            .toList();
    List<String> going = statuses.stream().flatMap(s -> s.getGoingList().stream()).toList();
    return "the NameNode does not list the new copy of %s at DataNode %s within %d s: it lists %s%s"
        .formatted(
            Stripes.name(block),
            uuid,
            millis / 1000,
            copies.isEmpty() ? "none" : String.join(", ", copies),
            going.isEmpty() ? "" : ", and to be deleted " + String.join(", ", going));
  }
}
