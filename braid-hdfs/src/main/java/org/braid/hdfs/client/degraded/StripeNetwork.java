package org.braid.hdfs.client.degraded;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.hdfs.stripe.Datanode;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;

/**
 * What a stripe's blocks and their reader are connected by.
 *
 * @param network node i holds block i of the stripe
 * @param client the reader's node
 */
record StripeNetwork(Network network, int client) {
  /**
   * The network as the NameNode knows it.
   *
   * @param n blocks of the stripe
   * @param holders by position in the stripe, the node that holds the block
   * @param slowdowns by position, how busy that node is
   * @param nodes all DataNodes by UUID; those that hold nothing still make their racks' uplinks
   * @param rack the reader's rack; empty when that is unknown
   */
  static StripeNetwork of(
      int n,
      Map<Integer, Datanode> holders,
      Map<Integer, Double> slowdowns,
      Map<String, Datanode> nodes,
      Optional<String> rack,
      Network.Volume volume) {
    Topology.Builder topology = Topology.builder();
    // Blocks that cannot be read are anywhere, but at no site of their own; no plan names them.
    String anywhere = nodes.values().stream().findFirst().map(Datanode::rack).orElse("/");
    Set<String> named = new HashSet<>();
    for (int i = 0; i < n; i++) {
      Datanode holder = holders.get(i);
      NetworkLocations.add(topology, "block " + i, holder == null ? anywhere : holder.rack());
      if (holder != null) {
        named.add(holder.uuid());
      }
    }
    rack.ifPresent(known -> NetworkLocations.add(topology, "client", known));
    nodes.values().stream()
        .filter(node -> node.live() && !named.contains(node.uuid()))
        .forEach(node -> NetworkLocations.add(topology, node.uuid(), node.rack()));
    Topology built = topology.build();
    return new StripeNetwork(
        Network.of(built).with(volume).withSlowdowns(slowdowns),
        rack.isPresent() ? n : built.nodes());
  }

  /** The same with links of other rates. */
  StripeNetwork with(Network.Rates rates) {
    return new StripeNetwork(network.with(rates), client);
  }
}
