package org.braid.hdfs.namenode.host;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.InnerNode;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.placement.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The live DataNodes of a NameNode as a topology; a node's name is its UUID.
 *
 * @param topology racks and nodes by number
 * @param nodes the DataNode of each number
 */
public record ClusterTopology(Topology topology, List<DatanodeDescriptor> nodes) {
  /** The live nodes now. Reuses the topology of {@code before} if no node joined, left or moved. */
  public static ClusterTopology of(NetworkTopology map, ClusterTopology before) {
    List<DatanodeDescriptor> present = new ArrayList<>();
    for (InnerNode rack : racks(map)) {
      for (Node leaf : new ArrayList<>(rack.getChildren())) {
        if (leaf instanceof DatanodeDescriptor node) {
          present.add(node);
        }
      }
    }
    present.sort((a, b) -> a.getDatanodeUuid().compareTo(b.getDatanodeUuid()));
    return before.describes(present)
        ? new ClusterTopology(before.topology, List.copyOf(present))
        : of(present);
  }

  /**
   * The racks of HDFS's network map, whose nodes are all at one level. Made for loops over many
   * nodes: HDFS's own method scans all racks for each node.
   */
  public static List<InnerNode> racks(NetworkTopology map) {
    List<InnerNode> racks = new ArrayList<>();
    collect(map.getNode(NodeBase.ROOT), racks);
    return racks;
  }

  private static void collect(@Nullable Node node, List<InnerNode> racks) {
    if (node instanceof InnerNode inner) {
      // A copy: nodes come and go meanwhile.
      List<Node> children = new ArrayList<>(inner.getChildren());
      if (children.isEmpty() || children.get(0) instanceof InnerNode) {
        children.forEach(child -> collect(child, racks));
      } else {
        racks.add(inner);
      }
    }
  }

  public static ClusterTopology of(List<DatanodeDescriptor> nodes) {
    Topology.Builder builder = Topology.builder();
    for (DatanodeDescriptor node : nodes) {
      NetworkLocations.add(builder, node.getDatanodeUuid(), node.getNetworkLocation());
    }
    return new ClusterTopology(builder.build(), List.copyOf(nodes));
  }

  @SuppressWarnings("ReferenceEquality") // a node that registered anew is another descriptor
  private boolean describes(List<DatanodeDescriptor> present) {
    if (!nodes.equals(present)) {
      return false;
    }
    for (int i = 0; i < present.size(); i++) {
      if (!isInRackOf(i, present.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isInRackOf(int index, DatanodeDescriptor node) {
    return topology.rackName(topology.rackOf(index)).equals(node.getNetworkLocation());
  }

  /** Whether a node is still in the rack that the topology gives it. */
  public boolean isInItsRack(int index) {
    return isInRackOf(index, nodes.get(index));
  }

  /** The number of a node, -1 when it is not live. */
  public int indexOf(String uuid) {
    return topology.indexOf(uuid).orElse(-1);
  }
}
