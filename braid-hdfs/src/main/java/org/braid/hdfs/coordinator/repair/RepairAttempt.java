package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.braid.code.Equation;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.coordinator.session.StorageNeed;
import org.braid.hdfs.coordinator.throttle.GaveWayException;
import org.braid.hdfs.engine.PlanFailedException;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.plan.manage.RepairFailure;
import org.braid.plan.schedule.ScheduledRepair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to repair the lost and misplaced blocks of a stripe: its schedule on the current
 * cluster.
 *
 * @param damaged the stripe as it was found
 * @param state the cluster to whose nodes indices refer
 * @param members the available, lost and misplaced blocks, without those beyond repair
 * @param rootOf by position, the node that gets the block in this attempt or got it in an earlier
 *     one
 * @param standIns by lost position that is rebuilt at a stand-in, its home
 * @param equations of the lost blocks; none when blocks are only moved
 * @param known the repair manager's topology, which numbers nodes differently
 */
record RepairAttempt(
    Damaged damaged,
    ClusterState state,
    Members members,
    Map<Integer, Integer> rootOf,
    Map<Integer, Integer> standIns,
    List<Equation> equations,
    Topology known) {
  private static final Logger LOG = LoggerFactory.getLogger(RepairAttempt.class);

  /**
   * Creates a scheduled attempt.
   *
   * @param rebuilt blocks that earlier attempts rebuilt; this one verifies them and names their
   *     homes
   * @throws AttemptFailed when the stripe or a node has changed since the schedule
   */
  static RepairAttempt of(
      Damaged damaged,
      ClusterState state,
      ScheduledRepair scheduled,
      Topology known,
      Map<Integer, Integer> rebuilt)
      throws AttemptFailed {
    Members members = damaged.determined();
    if (members.homeless().isEmpty()) {
      // Whether those that do not answer are waited for is decided where it is scheduled.
      throw new AttemptFailed(damaged.shortage(), Set.of());
    }
    Set<Integer> placed = scheduled.destinations().keySet();
    boolean onlyLost = scheduled.stripe().moved().isEmpty();
    Set<Integer> homeless = new TreeSet<>(onlyLost ? members.lost() : members.homeless());
    if (!placed.equals(homeless)
        || !Set.copyOf(scheduled.stripe().lost()).equals(Set.copyOf(members.lost()))) {
      throw new AttemptFailed(
          "blocks %s were to get a place, now it is %s".formatted(placed, homeless), Set.of());
    }
    Set<Integer> helpers =
        scheduled.equations().stream()
            .flatMap(equation -> equation.terms().stream())
            .map(term -> term.source().block())
            .collect(Collectors.toCollection(TreeSet::new));
    if (!members.available().containsAll(helpers)) {
      throw new AttemptFailed(
          "blocks %s were to be read, there are %s".formatted(helpers, members.available()),
          Set.of());
    }
    Map<Integer, Integer> standIns = standIns(state, scheduled, known);
    Map<Integer, Integer> rootOf =
        roots(damaged.status(), members, state, scheduled, known, standIns);
    rebuilt.forEach(rootOf::putIfAbsent);
    return new RepairAttempt(
        damaged, state, members, rootOf, standIns, scheduled.equations(), known);
  }

  /**
   * Creates an attempt that rebuilds nothing: it verifies the blocks that earlier attempts rebuilt,
   * and names their homes.
   *
   * @param known the topology that numbers nodes for the next schedule
   * @param rebuilt by position, the node
   */
  static RepairAttempt finishing(
      Damaged damaged, ClusterState state, Topology known, Map<Integer, Integer> rebuilt) {
    return new RepairAttempt(
        damaged, state, damaged.determined(), rebuilt, Map.of(), List.of(), known);
  }

  private static Map<Integer, Integer> standIns(
      ClusterState state, ScheduledRepair scheduled, Topology known) throws AttemptFailed {
    Map<Integer, Integer> standIns = new TreeMap<>();
    for (var standIn : scheduled.stripe().notes().standIns().entrySet()) {
      String own = known.nodeName(standIn.getValue());
      standIns.put(
          standIn.getKey(),
          state
              .indexOf(own)
              .orElseThrow(() -> new AttemptFailed(own + " is no node any more", Set.of())));
    }
    return standIns;
  }

  private static Map<Integer, Integer> roots(
      StripeStatus status,
      Members members,
      ClusterState state,
      ScheduledRepair scheduled,
      Topology known,
      Map<Integer, Integer> standIns)
      throws AttemptFailed {
    Stripe stripe = status.stripe();
    StripeRule rule = stripe.rule(state.topology());
    List<Integer> positions = List.copyOf(scheduled.destinations().keySet());
    int[] places = members.placeOf().clone();
    positions.forEach(position -> places[position] = StripeRule.NOWHERE);
    standIns.forEach((position, own) -> places[position] = own);
    Map<Integer, Integer> rootOf = new TreeMap<>();
    for (int position : positions) {
      int number = Objects.requireNonNull(scheduled.destinations().get(position));
      OptionalInt node = state.indexOf(known.nodeName(number));
      boolean fits =
          hasRoom(node, status, positions, state)
              && (standIns.containsKey(position)
                  || rule.fits(state.topology(), places, position, node.getAsInt()));
      if (!fits) {
        String name = node.isPresent() ? state.name(node.getAsInt()) : known.nodeName(number);
        throw new AttemptFailed(name + " cannot take a block any more", Set.of(number));
      }
      if (!standIns.containsKey(position)) {
        places[position] = node.getAsInt();
      }
      rootOf.put(position, node.getAsInt());
    }
    return rootOf;
  }

  private static boolean hasRoom(
      OptionalInt node, StripeStatus status, List<Integer> positions, ClusterState state) {
    return node.isPresent()
        && state.eligible(
            node.getAsInt(), status.stripe().blockLength(), StorageNeed.of(status, positions))
        && LostStripes.noReplicaThere(status, positions, node.getAsInt(), state);
  }

  /** The stripe. */
  Stripe stripe() {
    return damaged.status().stripe();
  }

  /** The node that a lost block is rebuilt at. */
  int root(int position) {
    return Objects.requireNonNull(rootOf.get(position), "no node is chosen for a lost block");
  }

  /** The positions whose copies are read again after a failure, to find bad ones. */
  List<Integer> suspects(PlanFailedException failure) {
    return members.available().stream()
        .filter(i -> members.nodeOf()[i] >= 0 && !failure.silent().contains(members.nodeOf()[i]))
        .toList();
  }

  /** Reads the copy of a block at a node from its disk. */
  interface Reader {
    /** Its CRC-32C. */
    int crc(int node, BlockIdentity block) throws IOException;
  }

  /**
   * The result of reading the helpers again.
   *
   * @param bad positions whose copies differ from the encoded content
   * @param unread positions whose copies could not be read and may be good
   */
  record Reread(Set<Integer> bad, Set<Integer> unread) {
    static final Reread WELL = new Reread(Set.of(), Set.of());
  }

  /**
   * After a failure, reads every helper from its disk and notes bad copies.
   *
   * @throws GaveWayException when the work is given up meanwhile
   */
  Reread reread(PlanFailedException failure, BadReplicas known, Reader reader)
      throws GaveWayException {
    Set<Integer> found = new TreeSet<>();
    Set<Integer> unread = new TreeSet<>();
    for (int i : suspects(failure)) {
      int node = members.nodeOf()[i];
      Member member = stripe().member(i);
      BlockIdentity block = member.block();
      String uuid = state.node(node).uuid();
      try {
        if (reader.crc(node, block) != member.crc()) {
          LOG.warn("{} at {} is not what was encoded", block.name(), state.name(node));
          known.add(block.id(), uuid);
          found.add(i);
        }
      } catch (GaveWayException e) {
        throw e;
      } catch (IOException e) {
        LOG.warn("{} at {}: {}", block.name(), state.name(node), e.getMessage());
        (known.found(block.id(), uuid, e) ? found : unread).add(i);
      }
    }
    return new Reread(found, unread);
  }

  /**
   * What the next schedule avoids after a failure: helpers whose nodes failed or that could not be
   * read again and, unless bad copies or silent nodes explain the failure, destinations that
   * failed.
   */
  RepairFailure blame(PlanFailedException failure, Reread reread) {
    Set<Integer> helpers = new HashSet<>(reread.unread());
    for (int i : members.available()) {
      if (members.nodeOf()[i] >= 0 && failure.failed().contains(members.nodeOf()[i])) {
        helpers.add(i);
      }
    }
    Set<Integer> destinations = new HashSet<>();
    if (reread.equals(Reread.WELL) && failure.silent().isEmpty()) {
      for (int node : rootOf.values()) {
        if (failure.failed().contains(node)) {
          known.indexOf(state.node(node).uuid()).ifPresent(destinations::add);
        }
      }
    }
    return new RepairFailure(helpers, destinations, String.valueOf(failure.getMessage()));
  }
}
