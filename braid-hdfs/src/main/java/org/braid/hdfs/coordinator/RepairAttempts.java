package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.Stripes.BadReplicas;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.placement.PlacementException;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairSchedulers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares attempts to repair one stripe, and learns from those that failed: which copies are bad,
 * and which nodes are better not written to again.
 */
final class RepairAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(RepairAttempts.class);
  private static final long WAIT_MILLIS = 20_000;

  private final Session session;
  private final BadReplicas bad;
  private final long silentUntil;

  /** Nodes at which a rebuilt block could not be stored. */
  private final Set<String> avoided = new LinkedHashSet<>();

  /**
   * Nothing is learned yet.
   *
   * @param silentUntil by {@link System#nanoTime}, how long silent nodes are waited for when there
   *     is no place without them
   */
  RepairAttempts(Session session, BadReplicas bad, long silentUntil) {
    this.session = session;
    this.bad = bad;
    this.silentUntil = silentUntil;
  }

  /** UUIDs of nodes at which a rebuilt block could not be stored. */
  Set<String> avoided() {
    return Set.copyOf(avoided);
  }

  /** An attempt as it was scheduled, if it still can be. */
  RepairAttempt scheduled(
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
              && LostStripes.noReplicaThere(status, members.homeless(), node.getAsInt(), state)
              && rule.fits(state.topology(), places, position, node.getAsInt());
      if (!fits) {
        String name = node.isPresent() ? state.name(node.getAsInt()) : uuid;
        throw new AttemptFailed(name + " cannot take a block any more", Set.of(uuid));
      }
      places[position] = node.getAsInt();
      rootOf.put(position, node.getAsInt());
    }
    String reason = beyond.isEmpty() ? "" : shortage(code, all);
    return new RepairAttempt(
        status, state, members, code, rootOf, preference.equations(), beyond, reason);
  }

  /**
   * Prepares an attempt. Nodes that are about to delete a surplus copy cannot take a new one yet,
   * and nodes that are silent for a moment may answer again: if the stripe fits nowhere without
   * them, they are waited for.
   */
  RepairAttempt prepare(StripeStatusProto first, SplittableRandom random) throws IOException {
    StripeStatusProto status = first;
    long end = System.nanoTime() + WAIT_MILLIS * 1_000_000;
    while (true) {
      ClusterState state = session.sight().now();
      Members members = Members.of(status, state, bad);
      requireAny(status.getStripe(), members);
      try {
        return prepared(status, state, members, random);
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
      status = session.nameNode().refreshed(status);
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

  /** Refuses a stripe of which nothing can be had back. */
  static void requireAny(StripeProto stripe, Members members) throws RefusedException {
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
  private RepairAttempt prepared(
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
    return new RepairAttempt(status, state, members, code, rootOf, List.of(), beyond, reason);
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
   * After a failure: every helper is read from its disk, and bad copies are known as such.
   *
   * @return positions of helpers that failed although their copies are well
   */
  Set<Integer> learn(RepairAttempt attempt, PlanRun.PlanFailed failure) {
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
