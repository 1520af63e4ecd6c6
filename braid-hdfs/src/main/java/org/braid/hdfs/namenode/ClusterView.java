package org.braid.hdfs.namenode;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.jspecify.annotations.Nullable;

/** The DataNodes that are registered with this NameNode. */
final class ClusterView {
  private final NameNodeHost host;
  private final Deferral deferral;

  ClusterView(NameNodeHost host, Deferral deferral) {
    this.host = host;
    this.deferral = deferral;
  }

  /** All DataNodes by UUID, dead ones too. */
  ClusterResponseProto describe(@Nullable InetAddress caller) {
    ClusterResponseProto.Builder cluster =
        ClusterResponseProto.newBuilder()
            .setBlockPool(host.namesystem().getBlockPoolId())
            .setSafeMode(host.namesystem().isInSafeMode())
            .setCoordination(deferral.describe());
    host.nodes().getDatanodes().stream()
        .sorted(Comparator.comparing(DatanodeDescriptor::getDatanodeUuid))
        .map(this::describe)
        .forEach(cluster::addDatanodes);
    if (caller != null) {
      rackOf(caller.getHostAddress(), cluster.getDatanodesList()).ifPresent(cluster::setCallerRack);
    }
    return cluster.build();
  }

  /** The rack of the DataNode there, or what the cluster's mapping says of the address. */
  private Optional<String> rackOf(String ip, List<DatanodeProto> nodes) {
    Set<String> known = new HashSet<>();
    nodes.stream().filter(n -> n.getIp().equals(ip)).forEach(n -> known.add(n.getRack()));
    if (known.isEmpty()) {
      List<String> resolved = host.nodes().resolveNetworkLocation(List.of(ip));
      if (resolved != null && !resolved.isEmpty() && resolved.get(0) != null) {
        known.add(resolved.get(0));
      }
      // A place where no DataNode is tells nothing, such as the default rack.
      known.removeIf(rack -> nodes.stream().noneMatch(n -> n.getRack().equals(rack)));
    }
    // Several racks at an address are a cluster within one machine.
    return known.size() == 1 ? known.stream().findFirst() : Optional.empty();
  }

  private DatanodeProto describe(DatanodeDescriptor node) {
    DatanodeProto.Builder described = DatanodeProto.newBuilder();
    if (node.getUpgradeDomain() != null) {
      described.setUpgradeDomain(node.getUpgradeDomain());
    }
    return described
        .setUuid(node.getDatanodeUuid())
        .setHost(node.getHostName())
        .setIp(node.getIpAddr())
        .setIpcPort(node.getIpcPort())
        .setTransferPort(node.getXferPort())
        .setRack(node.getNetworkLocation())
        .setRemaining(node.getRemaining())
        .setLive(node.isAlive())
        .setInService(node.isInService())
        .setHeartbeatAgeMillis(ReplicaView.silence(node))
        .setSuspect(host.isSuspect(node))
        .build();
  }
}
