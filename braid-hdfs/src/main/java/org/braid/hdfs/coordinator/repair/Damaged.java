package org.braid.hdfs.coordinator.repair;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.braid.code.derive.Tolerance;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.coordinator.session.StorageNeed;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.plan.schedule.ScheduledRepair;

/** A stripe that may need repair, at the time of a look at the cluster. */
record Damaged(StripeStatus status, Members members) {
  String id() {
    return status.stripe().id();
  }

  /**
   * A stripe as it is on a look at the cluster.
   *
   * @param bad replicas that are known to be bad, also if the NameNode lists them as good
   */
  static Damaged of(StripeStatus status, ClusterState state, BadReplicas bad) {
    return new Damaged(status, Members.of(status, state, bad));
  }

  /** The same stripe on another look at the cluster, in which nodes may have other numbers. */
  Damaged on(ClusterState state, BadReplicas bad) {
    return of(status, state, bad);
  }

  /** The stripe without the lost blocks that the remaining ones do not determine. */
  Members determined() {
    return members.without(members.beyond(status.stripe().code()));
  }

  /** Whether it has lost blocks and its next loss may cost data. */
  boolean isUrgent() {
    List<Integer> missing = new ArrayList<>(members.lost());
    missing.addAll(members.gone());
    return !members.lost().isEmpty() && Tolerance.spare(status.stripe().code(), missing, 1) <= 0;
  }

  /** Says how many blocks are available and how many are needed, when some are beyond repair. */
  String shortage() {
    return Members.supply(status.stripe().code(), members.available().size())
        + ": "
        + members.lost().size()
        + " are on nodes that do not answer, "
        + members.whereLost()
        + (members.gone().isEmpty()
            ? ""
            : ", " + members.gone().size() + " were deleted or changed since encoding");
  }

  /** Whether a node is about to delete a surplus copy, so that it cannot take a new one yet. */
  boolean hasGoing() {
    return status.members().stream().anyMatch(m -> !m.status().going().isEmpty());
  }

  /**
   * Whether a block may only seem lost: a restarted NameNode lists copies before it knows the state
   * of their disks.
   */
  boolean mayReturn(ClusterState state) {
    return lostReplicas()
        .filter(replica -> !replica.live())
        .anyMatch(replica -> isAt(state, replica, state::answers));
  }

  /**
   * Whether a lost block is on a node whose last heartbeat is recent and that does not answer now.
   */
  boolean isMomentary(ClusterState state) {
    return lostReplicas().anyMatch(replica -> isAt(state, replica, state::isSilentForAMoment));
  }

  /** The replicas of lost blocks that are not known to be corrupt. */
  private Stream<Replica> lostReplicas() {
    return members.lost().stream()
        .flatMap(i -> status.member(i).status().replicas().stream())
        .filter(replica -> !replica.corrupt());
  }

  private static boolean isAt(ClusterState state, Replica replica, IntPredicate which) {
    OptionalInt node = state.indexOf(replica.node());
    return node.isPresent() && which.test(node.getAsInt());
  }

  /**
   * Lost blocks whose home has a bad copy of them. HDFS keeps the only copy of a block, also a bad
   * one, until there is a good one, and a node holds one copy at most.
   *
   * @return the homes by position
   */
  Map<Integer, Integer> blocked(ClusterState state) {
    Map<Integer, Integer> blocked = new TreeMap<>();
    for (int i : determined().lost()) {
      OptionalInt home = state.indexOf(status.stripe().member(i).home());
      boolean bad =
          status.member(i).status().replicas().stream()
              .anyMatch(replica -> replica.corrupt() && state.indexOf(replica.node()).equals(home));
      if (bad
          && home.isPresent()
          && state.eligible(home.getAsInt())
          && status
              .stripe()
              .rule(state.topology())
              .fits(state.topology(), members.placeOf(), i, home.getAsInt())) {
        blocked.put(i, home.getAsInt());
      }
    }
    return blocked;
  }

  /**
   * Misplaced blocks, for example at stand-ins, whose home still has a bad copy. HDFS deletes the
   * bad copy, as there is a good one.
   *
   * @return by position, why the block cannot move to its home
   */
  Map<Integer, String> keptFromHome() {
    Map<Integer, String> kept = new TreeMap<>();
    for (int i : members.misplaced().keySet()) {
      String home = status.stripe().member(i).home();
      BlockStatus block = status.member(i).status();
      if (block.going().contains(home)
          || block.replicas().stream().anyMatch(r -> r.corrupt() && r.node().equals(home))) {
        kept.put(i, block.block().name() + " is elsewhere while its home has a bad copy of it");
      }
    }
    return kept;
  }

  /** Explains why blocks find no place: lack of storage, copies in the way. */
  String lack(List<Integer> homeless, ClusterState state) {
    StorageNeed need = StorageNeed.of(status, homeless);
    return need.lack(state, status.stripe().blockLength())
        + keptFromHome().values().stream().map(", "::concat).collect(joining());
  }

  /**
   * Whether a repair leaves blocks at stand-ins or misplaced, so that another repair must move
   * them.
   */
  boolean isPart(ScheduledRepair repair) {
    boolean others = !members.misplaced().isEmpty() && repair.stripe().moved().isEmpty();
    return others || !repair.stripe().notes().standIns().isEmpty();
  }

  /** The stripe as it would be after a repair of lost blocks. */
  Damaged after(ScheduledRepair repair) {
    return new Damaged(status, members.rebuilt(repair.destinations()));
  }

  /**
   * Number of blocks with surplus copies, for example after the return of a node whose blocks were
   * rebuilt elsewhere.
   */
  int surplus(ClusterState state) {
    int extra = 0;
    for (int i = 0; i < status.members().size(); i++) {
      boolean counted =
          !status.stripe().isVirtual(i)
              && !status.member(i).gone()
              && status.member(i).status().expected() == 1;
      if (counted && state.readable(status.member(i).status()).length > 1) {
        extra++;
      }
    }
    return extra;
  }
}
