package org.braid.hdfs.client.degraded;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.hdfs.stripe.Datanode;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;

/**
 * The network between a stripe's blocks and their reader.
 *
 * @param network node i holds block i of the stripe
 * @param client the reader's node
 */
record StripeNetwork(Network network, int client) {
  /** The rack of blocks that cannot be read: in a real one they would make its uplink wider. */
  private static final String NOWHERE = "/-";

  /**
   * The network as the NameNode knows it, reduced to the stripe and its reader. Of racks with
   * neither, it only keeps whether there are any at other sites.
   *
   * @param n blocks of the stripe
   * @param holders by position in the stripe, the node that holds the block
   * @param slowdowns by position, the load of that node
   * @param nodes all DataNodes by UUID; live nodes without blocks contribute to their racks'
   *     uplinks
   * @param rack the reader's rack; empty when it is unknown
   */
  static StripeNetwork of(
      int n,
      Map<Integer, Datanode> holders,
      Map<Integer, Double> slowdowns,
      Map<String, Datanode> nodes,
      Optional<String> rack,
      Network.Volume volume) {
    Topology.Builder topology = Topology.builder();
    String nowhere = nowhere(holders, rack);
    for (int i = 0; i < n; i++) {
      Datanode holder = holders.get(i);
      NetworkLocations.add(topology, "block " + i, holder == null ? nowhere : holder.rack());
    }
    rack.ifPresent(known -> NetworkLocations.add(topology, "client", known));
    Set<String> named = holders.values().stream().map(Datanode::uuid).collect(Collectors.toSet());
    Set<String> racks = new HashSet<>();
    holders.values().forEach(holder -> racks.add(holder.rack()));
    rack.ifPresent(racks::add);
    Set<String> sites = new HashSet<>();
    racks.forEach(near -> sites.add(NetworkLocations.site(near)));
    List<Datanode> others = new ArrayList<>();
    for (Datanode node : nodes.values()) {
      if (node.live()
          && !named.contains(node.uuid())
          && (racks.contains(node.rack()) || sites.add(NetworkLocations.site(node.rack())))) {
        others.add(node);
      }
    }
    others.sort(Comparator.comparing(Datanode::uuid));
    others.forEach(node -> NetworkLocations.add(topology, node.uuid(), node.rack()));
    Topology built = topology.build();
    return new StripeNetwork(
        Network.of(built).with(volume).withSlowdowns(slowdowns),
        rack.isPresent() ? n : built.nodes());
  }

  /** A rack that no node is in, at the site of one that is named, so that it makes no new site. */
  private static String nowhere(Map<Integer, Datanode> holders, Optional<String> rack) {
    String known =
        Stream.concat(holders.values().stream().map(Datanode::rack), rack.stream())
            .min(Comparator.naturalOrder())
            .orElse("");
    return known.substring(0, Math.max(0, known.lastIndexOf('/'))) + NOWHERE;
  }

  /** The network with other link rates. */
  StripeNetwork with(Network.Rates rates) {
    return new StripeNetwork(network.with(rates), client);
  }
}
