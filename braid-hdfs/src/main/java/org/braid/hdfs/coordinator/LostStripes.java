package org.braid.hdfs.coordinator;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.placement.Topology;
import org.braid.plan.manage.Demand;
import org.braid.plan.manage.Demand.Urgency;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.Servers;

/** A cluster and its damaged stripes as the repair manager knows them. */
final class LostStripes {
  private LostStripes() {}

  /**
   * The nodes.
   *
   * @param topology the manager's, in which nodes keep their numbers while others come and go
   * @param state how they are now
   * @param ownRepairs by node, how many of the manager's repairs run there
   * @param blockBytes what a user's transfer is taken to move
   */
  static Servers servers(Topology topology, ClusterState state, int[] ownRepairs, long blockBytes) {
    Servers servers = Servers.of(topology);
    for (int node = 0; node < topology.nodes(); node++) {
      OptionalInt now = state.indexOf(topology.nodeName(node));
      if (now.isEmpty() || !state.eligible(now.getAsInt())) {
        servers = servers.without(node);
      }
      if (now.isEmpty() || !state.answers(now.getAsInt())) {
        continue;
      }
      DatanodeProto known = state.node(now.getAsInt());
      if (known.hasUpgradeDomain()) {
        servers = servers.withUpgradeDomain(node, known.getUpgradeDomain().hashCode() >>> 1);
      }
      PingResponseProto pong = state.answer(now.getAsInt());
      servers =
          servers
              .withUserLoad(node, pong.getTransfers() * (blockBytes / (double) (1 << 20)))
              .withRepairs(node, Math.max(0, pong.getRunning() - ownRepairs[node]));
    }
    return servers;
  }

  /**
   * What there is to repair of a stripe.
   *
   * @param topology the manager's
   * @return empty when nothing can be had back, or nothing is to be moved
   */
  static Optional<LostStripe> of(
      StripeStatusProto status, Members all, ClusterState state, Topology topology) {
    Members members = all.without(all.beyond(Stripes.code(status.getStripe())));
    return members.homeless().isEmpty()
        ? Optional.empty()
        : Optional.of(of(status, members, members.homeless(), state, topology));
  }

  /**
   * The same of a part of it.
   *
   * @param homeless positions that need a place, all that are lost among them
   */
  static LostStripe of(
      StripeStatusProto status,
      Members members,
      List<Integer> homeless,
      ClusterState state,
      Topology topology) {
    StripeProto stripe = status.getStripe();
    long length = Stripes.length(stripe);
    Set<Integer> forbidden = new HashSet<>();
    for (int node = 0; node < state.nodes().size(); node++) {
      if (!state.eligible(node, length) || !noReplicaThere(status, homeless, node, state)) {
        topology.indexOf(state.node(node).getUuid()).ifPresent(forbidden::add);
      }
    }
    Set<Integer> cached = new HashSet<>();
    for (int position : members.available()) {
      int node = members.nodeOf()[position];
      if (node >= 0
          && state
              .answer(node)
              .getCachedList()
              .contains(stripe.getMembers(position).getBlock().getId())) {
        cached.add(position);
      }
    }
    int[] nodeOf = translated(members.nodeOf(), state, topology);
    int[] placeOf = translated(members.placeOf(), state, topology);
    // A block on a node that the manager does not know yet cannot be planned with.
    List<Integer> alive =
        members.available().stream()
            .filter(i -> nodeOf[i] >= 0 || Stripes.isVirtual(stripe, i))
            .toList();
    return new LostStripe(
        stripe.getId(),
        length,
        nodeOf,
        placeOf,
        alive,
        members.lost(),
        homeless.stream().filter(i -> !members.lost().contains(i)).toList(),
        Stripes.rule(stripe, topology),
        LostStripe.Notes.NONE.withCached(cached).withForbidden(forbidden));
  }

  private static int[] translated(int[] nodes, ClusterState state, Topology topology) {
    int[] translated = new int[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      translated[i] =
          nodes[i] < 0 ? nodes[i] : topology.indexOf(state.node(nodes[i]).getUuid()).orElse(-1);
    }
    return translated;
  }

  /**
   * How much a repair is wanted: a loss counts from the moment its node fell silent; where the
   * block is lost for another reason, it does not come back.
   *
   * @param now the manager's clock
   */
  static Demand demand(StripeStatusProto status, Members members, ClusterState state, long now) {
    if (members.lost().isEmpty()) {
      return new Demand(Urgency.MOVE, now);
    }
    long silent = 0;
    for (int position : members.lost()) {
      silent = Math.max(silent, silence(status, position, state));
    }
    return new Demand(Urgency.LOSS, silent == Long.MAX_VALUE ? Long.MIN_VALUE / 2 : now - silent);
  }

  private static long silence(StripeStatusProto status, int position, ClusterState state) {
    BlockStatusProto block = status.getMembers(position).getStatus();
    OptionalInt home = state.indexOf(status.getStripe().getMembers(position).getHome());
    boolean bad =
        block.getReplicasList().stream()
            .anyMatch(
                replica -> replica.getCorrupt() && state.indexOf(replica.getNode()).equals(home));
    return home.isEmpty() || state.answers(home.getAsInt()) || bad
        ? Long.MAX_VALUE
        : state.node(home.getAsInt()).getHeartbeatAgeMillis();
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
}
