package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.MemberStatusProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.ReplicaProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.placement.Topology;

/**
 * The DataNodes at one moment: what the NameNode believes of them, and whether their workers
 * answer. A node that does not answer is suspect, whatever the NameNode still believes.
 */
final class ClusterState {
  private final List<DatanodeProto> nodes;
  private final Map<String, Worker> answers;
  private final Topology topology;
  private final CoordinationProto coordination;

  private ClusterState(
      List<DatanodeProto> nodes, Map<String, Worker> answers, CoordinationProto coordination) {
    this.nodes = nodes;
    this.coordination = coordination;
    this.answers = answers;
    Topology.Builder builder = Topology.builder();
    nodes.forEach(n -> NetworkLocations.add(builder, n.getUuid(), n.getRack()));
    topology = builder.build();
  }

  /** Looks at the cluster. */
  static ClusterState take(NameNodeCalls nameNode, Workers workers) throws IOException {
    return take(nameNode, workers, PingRequestProto.getDefaultInstance());
  }

  /** Looks at the cluster and at what workers have in memory. */
  static ClusterState withCaches(NameNodeCalls nameNode, Workers workers) throws IOException {
    return take(nameNode, workers, PingRequestProto.newBuilder().setWithCache(true).build());
  }

  private static ClusterState take(NameNodeCalls nameNode, Workers workers, PingRequestProto ping)
      throws IOException {
    ClusterResponseProto cluster = nameNode.cluster();
    List<DatanodeProto> nodes = new ArrayList<>(cluster.getDatanodesList());
    // The same order at each look, so that a seed means the same.
    nodes.sort(Comparator.comparing(DatanodeProto::getRack).thenComparing(DatanodeProto::getHost));
    // Suspect ones are asked, too: one that has come back answers before the NameNode trusts it.
    List<DatanodeProto> live = nodes.stream().filter(DatanodeProto::getLive).toList();
    return new ClusterState(nodes, workers.ping(live, ping).reached(), cluster.getCoordination());
  }

  /** Who works on the cluster, and who waits. */
  CoordinationProto coordination() {
    return coordination;
  }

  Topology topology() {
    return topology;
  }

  DatanodeProto node(int index) {
    return nodes.get(index);
  }

  List<DatanodeProto> nodes() {
    return nodes;
  }

  String name(int index) {
    return nodes.get(index).getHost();
  }

  OptionalInt indexOf(String uuid) {
    return topology.indexOf(uuid);
  }

  /** The worker's answer; absent for a suspect node. */
  PingResponseProto answer(int index) {
    return worker(index).answer();
  }

  /** The worker of a node; absent for a suspect node. */
  Worker worker(int index) {
    Worker worker = answers.get(nodes.get(index).getUuid());
    if (worker == null) {
      throw new IllegalStateException(name(index) + " did not answer");
    }
    return worker;
  }

  /** Whether a node may be read from. */
  boolean answers(int index) {
    return answers.containsKey(nodes.get(index).getUuid());
  }

  /** Whether a node that the NameNode believes in does not answer. */
  boolean hasSilent() {
    return nodes.stream().anyMatch(n -> n.getLive() && !answers.containsKey(n.getUuid()));
  }

  /** Whether a node is neither decommissioned nor goes to maintenance. */
  boolean isInService(int index) {
    return nodes.get(index).getInService();
  }

  /** Whether a node may get blocks: its worker answers and it is in service. */
  boolean eligible(int index) {
    return answers(index) && nodes.get(index).getInService();
  }

  /** For the log: nodes that may get no block of a stripe, and why. */
  String unfit(StripeStatusProto stripe) {
    Map<String, String> why = new TreeMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      DatanodeProto node = nodes.get(i);
      String state =
          !node.getLive()
              ? "dead"
              : !answers(i) ? "silent" : !node.getInService() ? "not in service" : "";
      StringBuilder text = new StringBuilder(state);
      for (MemberStatusProto member : stripe.getMembersList()) {
        BlockStatusProto block = member.getStatus();
        block.getReplicasList().stream()
            .filter(replica -> replica.getNode().equals(node.getUuid()))
            .forEach(
                replica ->
                    text.append(" blk_")
                        .append(block.getBlock().getId())
                        .append(replica.getLive() ? "" : " not live")
                        .append(replica.getCorrupt() ? " corrupt" : ""));
        if (block.getGoingList().contains(node.getUuid())) {
          text.append(" blk_").append(block.getBlock().getId()).append(" going");
        }
      }
      if (!text.isEmpty()) {
        why.put(node.getHost(), text.toString().trim());
      }
    }
    return why.toString();
  }

  /** Whether a node may get blocks of some bytes. */
  boolean eligible(int index, long bytes) {
    return eligible(index) && nodes.get(index).getRemaining() >= bytes;
  }

  /** The nodes from which a good replica of a block can be read now, ascending. */
  int[] readable(BlockStatusProto block) {
    Set<Integer> found = new TreeSet<>();
    for (ReplicaProto replica : block.getReplicasList()) {
      OptionalInt index = indexOf(replica.getNode());
      if (replica.getLive()
          && !replica.getCorrupt()
          && index.isPresent()
          && answers(index.getAsInt())) {
        found.add(index.getAsInt());
      }
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }
}
