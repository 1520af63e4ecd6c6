package org.braid.hdfs.namenode;

import java.util.Comparator;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;

/** The DataNodes that are registered with this NameNode. */
final class ClusterView {
  private final NameNodeHost host;
  private final Deferral deferral;

  ClusterView(NameNodeHost host, Deferral deferral) {
    this.host = host;
    this.deferral = deferral;
  }

  /** All DataNodes by UUID, dead ones too. */
  ClusterResponseProto describe() {
    ClusterResponseProto.Builder cluster =
        ClusterResponseProto.newBuilder()
            .setBlockPool(host.namesystem().getBlockPoolId())
            .setSafeMode(host.namesystem().isInSafeMode())
            .setCoordination(deferral.describe());
    host.nodes().getDatanodes().stream()
        .sorted(Comparator.comparing(DatanodeDescriptor::getDatanodeUuid))
        .map(this::describe)
        .forEach(cluster::addDatanodes);
    return cluster.build();
  }

  private DatanodeProto describe(DatanodeDescriptor node) {
    return DatanodeProto.newBuilder()
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
