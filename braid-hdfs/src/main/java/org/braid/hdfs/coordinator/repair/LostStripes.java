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

/** A cluster and its damaged stripes as the repair manager knows them. */
final class LostStripes {
  private LostStripes() {}

  /** A topology with the nodes of a cluster that it does not have yet at its end. */
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
   * The nodes.
   *
   * @param topology the manager's, in which nodes keep their numbers while others come and go
   * @param state how they are now
   * @param ownRepairs by node, how many of the manager's repairs run there
   * @param blockBytes what a user's transfer is taken to move
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
   * What there is to repair of a stripe.
   *
   * @param members without those beyond repair
   * @param homeless positions that get a place, all that are lost among them
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
   * The same with blocks that are rebuilt at stand-ins.
   *
   * @param standIns lost positions that their own node cannot take yet, with that node
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

  /** The nodes that may get blocks: with the storage that is wanted, as far as these suffice. */
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
   * How urgent a repair is: a loss counts from the moment its node fell silent, or registered
   * without a report of its blocks yet, with which the block comes back; where the block is lost
   * for another reason, it does not.
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
   * A node with a replica of a block cannot take another beside it. Nor can one whose old copy is
   * about to be deleted: the NameNode would delete the new copy in its place.
   */
  static boolean noReplicaThere(
      StripeStatus status, List<Integer> homeless, int node, ClusterState state) {
    String uuid = state.node(node).uuid();
    return homeless.stream()
        .map(i -> status.member(i).status())
        .noneMatch(block -> block.isTiedTo(uuid));
  }
}
