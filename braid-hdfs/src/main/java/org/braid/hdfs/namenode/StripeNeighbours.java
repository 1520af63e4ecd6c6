package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.braid.hdfs.namenode.StripeIndex.Entry;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where HDFS must not copy a block of a stripe to when it takes a node out of service: to the
 * stripe's other nodes, and into racks that are full. HDFS does not say which block it copies; it
 * is one of the file's blocks with a replica on the source, and the limits of all of these count.
 */
final class StripeNeighbours {
  private static final Logger LOG = LoggerFactory.getLogger(StripeNeighbours.class);

  private final NameNodeHost host;
  private final StripeIndex index;

  StripeNeighbours(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /** The nodes to leave out; empty when the file is not encoded. */
  Set<Node> of(String path, DatanodeDescriptor source, NetworkTopology map) {
    try {
      return host.reading("braidNeighbours", () -> find(path, source, map));
    } catch (IOException e) {
      LOG.debug("neighbours of {} are not known: {}", path, e.getMessage());
      return Set.of();
    }
  }

  private Set<Node> find(String path, DatanodeDescriptor source, NetworkTopology map)
      throws IOException {
    INode inode = host.namesystem().getFSDirectory().unprotectedResolvePath(path).getLastINode();
    if (inode == null || !inode.isFile()) {
      return Set.of();
    }
    Set<Node> nodes = new HashSet<>();
    Set<String> fullRacks = new HashSet<>();
    for (BlockInfo block : inode.asFile().getBlocks()) {
      Optional<Entry> entry = index.known(block.getBlockId());
      boolean onSource =
          ReplicaView.on(ReplicaView.of(host.blocks(), block), source.getDatanodeUuid())
              .isPresent();
      if (entry.isPresent() && onSource) {
        add(entry.get(), block.getBlockId(), nodes, fullRacks);
      }
    }
    if (!fullRacks.isEmpty()) {
      for (Node leaf : map.getLeaves(NodeBase.ROOT)) {
        if (fullRacks.contains(leaf.getNetworkLocation())) {
          nodes.add(leaf);
        }
      }
    }
    return nodes;
  }

  /** Adds where the other blocks of a stripe are or belong. */
  private void add(Entry entry, long moving, Set<Node> nodes, Set<String> fullRacks) {
    Map<String, Integer> racks = new HashMap<>();
    for (MemberProto member : entry.stripe().getMembersList()) {
      if (!member.hasBlock() || member.getBlock().getId() == moving) {
        continue;
      }
      List<DatanodeDescriptor> holders = new ArrayList<>();
      DatanodeDescriptor home = host.nodes().getDatanode(member.getHome());
      if (home != null) {
        holders.add(home);
      }
      ReplicaView.stored(host.blocks(), member.getBlock().getId())
          .filter(block -> block.getReplication() == 1)
          .ifPresent(
              block ->
                  ReplicaView.of(host.blocks(), block).stream()
                      .filter(ReplicaView::good)
                      .map(ReplicaView::node)
                      .filter(node -> !holders.contains(node))
                      .forEach(holders::add));
      nodes.addAll(holders);
      holders.stream()
          .map(DatanodeDescriptor::getNetworkLocation)
          .distinct()
          .forEach(rack -> racks.merge(rack, 1, Integer::sum));
    }
    racks.forEach(
        (rack, blocks) -> {
          if (blocks >= entry.stripe().getPerRack()) {
            fullRacks.add(rack);
          }
        });
  }
}
