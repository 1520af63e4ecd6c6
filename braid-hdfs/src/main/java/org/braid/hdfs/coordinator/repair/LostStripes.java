package org.braid.hdfs.coordinator.repair;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.coordinator.session.StorageNeed;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.plan.manage.RepairPriority;
import org.braid.plan.manage.RepairPriority.Urgency;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;

/** Translates a cluster and its damaged stripes into the repair manager's terms. */
final class LostStripes {
  private LostStripes() {}

  /** Returns the topology with the cluster's unknown nodes appended. */
  static Topology grown(Topology known, ClusterState state) {
    List<Datanode> fresh =
        state.nodes().stream().filter(node -> known.indexOf(node.uuid()).isEmpty()).toList();
    if (fresh.isEmpty()) {
      return known;
    }
    Topology.Builder builder = known.toBuilder();
    fresh.forEach(node -> NetworkLocations.add(builder, node.uuid(), node.rack()));
    return builder.build();
  }

  /**
   * The nodes as the repair manager sees them.
   *
   * @param topology the manager's topology, in which a node keeps its number while others come and
   *     go
   * @param state how they are now
   * @param ownRepairs by node, how many of the manager's repairs run there
   * @param blockBytes estimated bytes of a user's transfer
   */
  static ClusterSnapshot servers(
      Topology topology, ClusterState state, int[] ownRepairs, long blockBytes) {
    ClusterSnapshot.Builder servers = ClusterSnapshot.builder(topology);
    for (int node = 0; node < topology.nodes(); node++) {
      OptionalInt now = state.indexOf(topology.nodeName(node));
      if (now.isEmpty() || !state.eligible(now.getAsInt())) {
        servers.without(node);
      }
      if (now.isEmpty() || !state.answers(now.getAsInt())) {
        continue;
      }
      Datanode known = state.node(now.getAsInt());
      if (known.upgradeDomain().isPresent()) {
        servers.upgradeDomain(node, known.upgradeDomain().get().hashCode() >>> 1);
      }
      PingResponseProto pong = state.answer(now.getAsInt());
      servers
          .userLoad(node, pong.getTransfers() * (blockBytes / (double) (1 << 20)))
          .repairs(node, Math.max(0, pong.getRunning() - ownRepairs[node]));
    }
    return servers.build();
  }

  /**
   * The lost and misplaced blocks of a stripe.
   *
   * @param members without those beyond repair
   * @param homeless positions that need a new place, all lost ones included
   * @param topology the manager's, with all nodes of the cluster
   */
  static LostStripe of(
      StripeStatus status,
      Members members,
      List<Integer> homeless,
      ClusterState state,
      Topology topology) {
    return of(status, members, homeless, Map.of(), state, topology);
  }

  /**
   * The same with lost blocks that are rebuilt at stand-ins.
   *
   * @param standIns by lost position, its home, which cannot take the block yet
   */
  static LostStripe of(
      StripeStatus status,
      Members members,
      List<Integer> homeless,
      Map<Integer, Integer> standIns,
      ClusterState state,
      Topology topology) {
    Stripe stripe = status.stripe();
    long length = stripe.blockLength();
    Set<Integer> forbidden = new HashSet<>();
    EligibleNodes places = places(status, members, homeless, state);
    for (int node = 0; node < state.nodes().size(); node++) {
      if (!places.contains(node)) {
        topology.indexOf(state.node(node).uuid()).ifPresent(forbidden::add);
      }
    }
    Set<Integer> cached = new HashSet<>();
    for (int position : members.available()) {
      int node = members.nodeOf()[position];
      if (node >= 0
          && state.answer(node).getCachedList().contains(stripe.member(position).block().id())) {
        cached.add(position);
      }
    }
    Map<Integer, Integer> own = new HashMap<>();
    standIns.forEach(
        (position, node) ->
            topology
                .indexOf(state.node(node).uuid())
                .ifPresent(number -> own.put(position, number)));
    int[] nodeOf = translated(members.nodeOf(), state, topology);
    int[] placeOf = translated(members.placeOf(), state, topology);
    return new LostStripe(
        stripe.id(),
        length,
        nodeOf,
        placeOf,
        members.available(),
        members.lost(),
        homeless.stream().filter(i -> !members.lost().contains(i)).toList(),
        stripe.rule(topology),
        LostStripe.Notes.NONE.withCached(cached).withForbidden(forbidden).withStandIns(own));
  }

  /** The nodes that may get blocks: those with the wanted storage type, if these suffice. */
  private static EligibleNodes places(
      StripeStatus status, Members members, List<Integer> homeless, ClusterState state) {
    StripeRule rule = status.stripe().rule(state.topology());
    return StorageNeed.of(status, homeless)
        .nodes(
            state,
            status.stripe().blockLength(),
            node -> noReplicaThere(status, homeless, node, state),
            nodes ->
                rule.destinations(nodes, members.placeOf(), homeless, new SplittableRandom(0)));
  }

  private static int[] translated(int[] nodes, ClusterState state, Topology topology) {
    int[] translated = new int[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      translated[i] =
          nodes[i] < 0 ? nodes[i] : topology.indexOf(state.node(nodes[i]).uuid()).orElse(-1);
    }
    return translated;
  }

  /**
   * The urgency of a repair. A loss is dated from the moment at which its node fell silent or
   * registered without a block report, as the block may come back. A block lost for another reason
   * does not come back: it counts as lost long ago.
   *
   * @param awaited whether a reader waits
   * @param now the manager's clock
   */
  static RepairPriority priority(Damaged stripe, ClusterState state, boolean awaited, long now) {
    Members members = stripe.members();
    if (awaited) {
      return new RepairPriority(Urgency.READ, now);
    }
    if (members.lost().isEmpty()) {
      return new RepairPriority(Urgency.MOVE, now);
    }
    long silent = 0;
    for (int position : members.lost()) {
      silent = Math.max(silent, silence(stripe.status(), position, state));
    }
    return new RepairPriority(
        Urgency.LOSS, silent == Long.MAX_VALUE ? Long.MIN_VALUE / 2 : now - silent);
  }

  private static long silence(StripeStatus status, int position, ClusterState state) {
    BlockStatus block = status.member(position).status();
    OptionalInt home = state.indexOf(status.stripe().member(position).home());
    boolean bad =
        block.replicas().stream()
            .anyMatch(replica -> replica.corrupt() && state.indexOf(replica.node()).equals(home));
    if (home.isEmpty() || bad) {
      return Long.MAX_VALUE;
    }
    Datanode node = state.node(home.getAsInt());
    return state.answers(home.getAsInt())
        ? node.unreportedMillis().orElse(Long.MAX_VALUE)
        : node.heartbeatAgeMillis();
  }

  /**
   * Whether a node can take the blocks: it has no replica of any of them, and deletes none. In the
   * place of a copy that is about to be deleted the NameNode would delete the new one.
   */
  static boolean noReplicaThere(
      StripeStatus status, List<Integer> homeless, int node, ClusterState state) {
    String uuid = state.node(node).uuid();
    return homeless.stream()
        .map(i -> status.member(i).status())
        .noneMatch(block -> block.isTiedTo(uuid));
  }
}
