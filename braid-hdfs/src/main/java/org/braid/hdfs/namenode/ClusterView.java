package org.braid.hdfs.namenode;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.deferral.Deferral;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NodeExpiry;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.StorageView;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.rpc.Release;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.time.RecentAnswer;
import org.jspecify.annotations.Nullable;

/** The DataNodes that are registered with this NameNode. */
final class ClusterView {
  private static final int MOST_ASKED = 1000;

  /** How old an answer to one who is no superuser may be. */
  private static final long READERS_MILLIS = 1000;

  private final NameNodeHost host;
  private final Deferral deferral;
  private final AwaitedReports reports;

  /**
   * For readers, each of whom asks once a minute: thousands of tasks may read what one lost node
   * had, and to describe thousands of nodes takes long.
   */
  private final RecentAnswer<Described> recent =
      new RecentAnswer<>(READERS_MILLIS, Time::monotonicNow, this::all);

  /** DataNodes, and what is answered of them. */
  private record Described(List<Datanode> nodes, List<DatanodeProto> answers) {}

  ClusterView(NameNodeHost host, Deferral deferral) {
    this.host = host;
    this.deferral = deferral;
    this.reports = new AwaitedReports(Time::monotonicNow, NodeExpiry.reportMillis(host.conf()));
  }

  /**
   * Describes all DataNodes, including dead ones, or those with the given UUIDs.
   *
   * @param uuids nodes to describe; empty for all, whose description is up to a second old for
   *     callers other than superusers
   */
  ClusterResponseProto describe(@Nullable InetAddress caller, List<String> uuids)
      throws IOException {
    long precision =
        host.conf()
            .getLong(
                DFSConfigKeys.DFS_NAMENODE_ACCESSTIME_PRECISION_KEY,
                DFSConfigKeys.DFS_NAMENODE_ACCESSTIME_PRECISION_DEFAULT);
    ClusterResponseProto.Builder cluster =
        ClusterResponseProto.newBuilder()
            .setBlockPool(host.namesystem().getBlockPoolId())
            .setSafeMode(host.namesystem().isInSafeMode())
            .setRollingUpgrade(host.namesystem().isRollingUpgrade())
            .setReconstructionTimeoutSeconds(host.blocks().getReconstructionPendingTimeout())
            .setRecordsReads(precision > 0)
            .setReadPrecisionMillis(Math.max(0, precision))
            .setTellsRecordedReads(true)
            .setVersion(Release.version())
            .setCoordination(deferral.describe());
    if (!uuids.isEmpty()) {
      uuids.stream()
          .limit(MOST_ASKED)
          .map(host.nodes()::getDatanode)
          .filter(Objects::nonNull)
          .forEach(node -> cluster.addDatanodes(StatusCodec.toProto(describe(node))));
      return cluster.build();
    }
    Described all = host.isSuperuser(NameNode.getRemoteUser()) ? all() : recent.get();
    cluster.addAllDatanodes(all.answers);
    if (caller != null) {
      rackOf(caller.getHostAddress(), all.nodes).ifPresent(cluster::setCallerRack);
    }
    return cluster.build();
  }

  private Described all() {
    List<Datanode> nodes =
        host.nodes().getDatanodes().stream()
            .sorted(Comparator.comparing(DatanodeDescriptor::getDatanodeUuid))
            .map(this::describe)
            .toList();
    reports.retain(nodes.stream().map(Datanode::uuid).collect(Collectors.toSet()));
    return new Described(nodes, nodes.stream().map(StatusCodec::toProto).toList());
  }

  /** The rack of the DataNode there, or what the cluster's mapping says of the address. */
  private Optional<String> rackOf(String ip, List<Datanode> nodes) {
    Set<String> known = new HashSet<>();
    nodes.stream().filter(n -> n.ip().equals(ip)).forEach(n -> known.add(n.rack()));
    if (known.isEmpty()) {
      List<String> resolved = host.nodes().resolveNetworkLocation(List.of(ip));
      if (resolved != null && !resolved.isEmpty() && resolved.get(0) != null) {
        known.add(resolved.get(0));
      }
      // A place where no DataNode is tells nothing, such as the default rack.
      known.removeIf(rack -> nodes.stream().noneMatch(n -> n.rack().equals(rack)));
    }
    // Several racks at an address are a cluster within one machine.
    return known.size() == 1 ? known.stream().findFirst() : Optional.empty();
  }

  private Datanode describe(DatanodeDescriptor node) {
    Datanode.Builder known =
        Datanode.builder(node.getDatanodeUuid())
            .host(node.getHostName())
            .ip(node.getIpAddr())
            .ipcPort(node.getIpcPort())
            .transferPort(node.getXferPort())
            .rack(node.getNetworkLocation())
            .remaining(node.getRemaining())
            .live(node.isAlive())
            .inService(ReplicaView.inService(node))
            .heartbeatAgeMillis(ReplicaView.silence(node))
            .suspect(host.isSuspect(node))
            .blockPool(host.namesystem().getBlockPoolId())
            .storages(StorageView.rooms(node.getStorageReports()));
    boolean owes = node.isAlive() && !StorageView.isReported(node.getStorageInfos());
    OptionalLong unreported = reports.millis(node.getDatanodeUuid(), owes);
    if (unreported.isPresent()) {
      known.unreportedMillis(unreported.getAsLong());
    }
    String domain = node.getUpgradeDomain();
    return domain == null ? known.build() : known.upgradeDomain(domain).build();
  }
}
