package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.stripe.Member;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where HDFS must not copy a block of a stripe to when it takes a node out of service: to the
 * stripe's other nodes, and into racks where its rule forbids it. HDFS does not say which block it
 * copies; it is one of the file's blocks with a replica on the source, and the limits of all of
 * these count.
 */
public final class StripeNeighbours {
  private static final Logger LOG = LoggerFactory.getLogger(StripeNeighbours.class);

  private final NameNodeHost host;
  private final StripeIndex index;

  public StripeNeighbours(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /** The nodes to leave out; empty when the file is not encoded. */
  public Set<Node> of(String path, DatanodeDescriptor source, NetworkTopology map) {
    try {
      return host.reading("braidNeighbours", () -> find(path, source, map));
    } catch (IOException e) {
      LOG.debug("neighbours of {} are not known: {}", path, e.getMessage());
      return Set.of();
    }
  }

  private Set<Node> find(String path, DatanodeDescriptor source, NetworkTopology map)
      throws IOException {
    INode inode = host.inode(path);
    if (inode == null || !inode.isFile()) {
      return Set.of();
    }
    List<DatanodeDescriptor> leaves = new ArrayList<>();
    for (Node leaf : map.getLeaves(NodeBase.ROOT)) {
      if (leaf instanceof DatanodeDescriptor node) {
        leaves.add(node);
      }
    }
    Set<Node> nodes = new HashSet<>();
    for (BlockInfo block : inode.asFile().getBlocks()) {
      Optional<Entry> entry = index.known(block.getBlockId());
      boolean onSource =
          ReplicaView.on(ReplicaView.of(host.blocks(), block), source.getDatanodeUuid())
              .isPresent();
      if (entry.isPresent() && onSource) {
        add(entry.get(), block.getBlockId(), leaves, nodes);
      }
    }
    return nodes;
  }

  /** Adds the nodes that a block may not be on beside where the others are or belong. */
  private void add(Entry entry, long moving, List<DatanodeDescriptor> leaves, Set<Node> nodes) {
    try {
      Predicate<DatanodeDescriptor> fits = fits(entry, moving, leaves);
      leaves.stream().filter(fits.negate()).forEach(nodes::add);
    } catch (IllegalArgumentException e) {
      LOG.warn("where blocks of stripe {} may be is not known: {}", entry.id(), e.getMessage());
    }
  }

  /**
   * Whether a block of a stripe may be on a node beside where the others are and belong. The
   * namesystem's lock is held.
   */
  public boolean fits(Entry entry, long moving, DatanodeDescriptor node) {
    try {
      return fits(entry, moving, List.of(node)).test(node);
    } catch (IllegalArgumentException e) {
      LOG.warn("where blocks of stripe {} may be is not known: {}", entry.id(), e.getMessage());
      return false;
    }
  }

  /**
   * The same for a node that HDFS has copied a block to by itself: not, either, while another block
   * of the stripe has several copies and none at home, of which any may be the one that stays.
   */
  boolean mayMove(Entry entry, long moving, DatanodeDescriptor node) {
    return entry.stripe().members().stream()
            .filter(member -> !member.isVirtual() && !member.isBlock(moving))
            .allMatch(member -> strayed(member).size() < 2)
        && fits(entry, moving, node);
  }

  private Predicate<DatanodeDescriptor> fits(
      Entry entry, long moving, List<DatanodeDescriptor> asked) {
    List<String> homes = new ArrayList<>();
    List<String> holders = new ArrayList<>();
    for (Member member : entry.stripe().members()) {
      homes.add(member.home());
      holders.add(holder(member));
    }
    int member = entry.stripe().positionOf(moving).orElseThrow();
    StripeHomes belong = StripeHomes.of(host, entry.stripe(), homes, asked);
    StripeHomes are = StripeHomes.of(host, entry.stripe(), holders, asked);
    return node ->
        belong.fits(member, node.getDatanodeUuid()) && are.fits(member, node.getDatanodeUuid());
  }

  /** The node of the copy that counts: at home unless all are elsewhere. */
  private String holder(Member member) {
    List<String> strayed = strayed(member);
    return strayed.isEmpty() ? member.home() : strayed.get(0);
  }

  /** The nodes of a block's good copies, when none of them is at home. */
  private List<String> strayed(Member member) {
    if (member.isVirtual()) {
      return List.of();
    }
    return ReplicaView.stored(host.blocks(), member.block().id())
        .filter(block -> block.getReplication() == 1)
        .map(
            block ->
                ReplicaView.of(host.blocks(), block).stream()
                    .filter(ReplicaView::good)
                    .map(ReplicaView::uuid)
                    .toList())
        .filter(found -> !found.contains(member.home()))
        .orElse(List.of());
  }
}
