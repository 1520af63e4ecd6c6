package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.net.InnerNode;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.ClusterTopology;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeHost.Work;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.ForeignFiles.Answers;
import org.braid.hdfs.namenode.stripes.ForeignFiles.Blocks;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.jspecify.annotations.Nullable;
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
  private final Found found = new Found(Time::monotonicNow);

  public StripeNeighbours(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /** A file as it is in one hold of the lock: without it, its snapshots may go meanwhile. */
  private record Asked(Blocks key, BlockInfo[] blocks) {
    static Asked of(INodeFile file) {
      return new Asked(Blocks.of(file), file.getBlocks());
    }
  }

  /**
   * The nodes to leave out; empty when the file is not encoded. HDFS asks for each block that it
   * copies, many times in a row for a large file: what was found a moment ago counts again.
   */
  public Set<Node> of(String path, DatanodeDescriptor source, NetworkTopology map) {
    try {
      Optional<Asked> file =
          host.reading(
              "braidNeighbours",
              () -> {
                INode inode = host.inode(path);
                return inode == null || !inode.isFile()
                    ? Optional.empty()
                    : Optional.of(Asked.of(inode.asFile()));
              });
      return file.isEmpty()
          ? Set.of()
          : found.of(
              file.get().key(),
              source.getDatanodeUuid(),
              () -> find(file.get().blocks(), source, map));
    } catch (IOException e) {
      LOG.debug("neighbours of {} are not known: {}", path, e.getMessage());
      return Set.of();
    }
  }

  /** Looks at a file's blocks in short holds of the lock, and at the stripes of those there. */
  private Set<Node> find(BlockInfo[] blocks, DatanodeDescriptor source, NetworkTopology map)
      throws IOException {
    List<Long> there = new ArrayList<>();
    host.readingEach(
        "braidNeighbours",
        Arrays.asList(blocks),
        block -> {
          if (index.number(block.getBlockId()) >= 0 && isOn(block, source.getDatanodeUuid())) {
            there.add(block.getBlockId());
          }
        });
    Set<Node> nodes = new HashSet<>();
    host.readingEach(
        "braidNeighbours",
        there,
        id -> index.known(id).ifPresent(entry -> add(entry, id, map, nodes)));
    return nodes;
  }

  private static boolean isOn(BlockInfo block, String uuid) {
    for (Iterator<DatanodeStorageInfo> i = block.getStorageInfos(); i.hasNext(); ) {
      DatanodeStorageInfo storage = i.next();
      if (storage != null && storage.getDatanodeDescriptor().getDatanodeUuid().equals(uuid)) {
        return true;
      }
    }
    return false;
  }

  /** What was found for files and sources in the last second. Thread-safe. */
  static final class Found {
    /** Shorter than the time between two rounds in which HDFS chooses what it copies. */
    static final long MILLIS = 1000;

    private static final int MOST_FILES = 16;

    private record Nodes(long millis, Set<Node> nodes) {}

    private final LongSupplier millis;
    private final Answers<Map<String, Nodes>> files = new Answers<>(MOST_FILES);

    /** Nothing yet, by a clock that never runs backwards. */
    Found(LongSupplier millis) {
      this.millis = millis;
    }

    Set<Node> of(Blocks file, String source, Work<Set<Node>> find) throws IOException {
      Map<String, Nodes> sources = files.of(file);
      if (sources == null) {
        sources = new ConcurrentHashMap<>();
        files.put(file, sources);
      }
      long now = millis.getAsLong();
      sources.values().removeIf(earlier -> now - earlier.millis >= MILLIS);
      Nodes present = sources.get(source);
      if (present == null) {
        present = new Nodes(now, find.run());
        sources.put(source, present);
      }
      return present.nodes;
    }
  }

  /** Adds the nodes that a block may not be on beside where the others are or belong. */
  private void add(Entry entry, long moving, NetworkTopology map, Set<Node> nodes) {
    try {
      int member = entry.stripe().positionOf(moving).orElseThrow();
      nodes.addAll(places(entry).forbidden(member, map));
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
      int member = entry.stripe().positionOf(moving).orElseThrow();
      return places(entry).fits(member, List.of(node)).test(node);
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

  private Places places(Entry entry) {
    return new Places(
        entry.stripe(),
        entry.stripe().members().stream().map(Member::home).toList(),
        entry.stripe().members().stream().map(this::holder).toList(),
        host.nodes()::getDatanode);
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

  /**
   * Where the blocks of a stripe belong and are.
   *
   * @param homes by member, the UUID of the node where it belongs
   * @param holders by member, the UUID of the node where it is
   * @param registered gives the DataNode of a UUID, dead ones too, or null
   */
  record Places(
      Stripe stripe,
      List<String> homes,
      List<String> holders,
      Function<String, @Nullable DatanodeDescriptor> registered) {
    /**
     * Whether a member may be on a node beside the others.
     *
     * @param asked the nodes that are asked about
     * @throws IllegalArgumentException when the stripe's description makes no rule
     */
    Predicate<DatanodeDescriptor> fits(int member, Collection<DatanodeDescriptor> asked) {
      StripeHomes belong = StripeHomes.of(registered, stripe, homes, asked);
      StripeHomes are = StripeHomes.of(registered, stripe, holders, asked);
      return node ->
          belong.fits(member, node.getDatanodeUuid()) && are.fits(member, node.getDatanodeUuid());
    }

    /**
     * The nodes of a cluster that a member may not be on beside the others. All nodes of a rack
     * that have no block of the stripe are alike, and so are all racks of a site that have none and
     * that the stripe does not name: one node is asked about for all of them.
     *
     * @throws IllegalArgumentException when the stripe's description makes no rule
     */
    Set<Node> forbidden(int member, NetworkTopology map) {
      Map<String, DatanodeDescriptor> taken = new LinkedHashMap<>();
      for (String uuid : union(homes, holders)) {
        DatanodeDescriptor node = uuid.isEmpty() ? null : registered.apply(uuid);
        if (node != null) {
          taken.put(uuid, node);
        }
      }
      Set<String> named = new HashSet<>(stripe.promise().targetRacks());
      taken.values().forEach(node -> named.add(node.getNetworkLocation()));
      Map<Alike, List<InnerNode>> racks = new LinkedHashMap<>();
      for (InnerNode rack : ClusterTopology.racks(map)) {
        racks
            .computeIfAbsent(Alike.of(NodeBase.getPath(rack), named), alike -> new ArrayList<>())
            .add(rack);
      }
      Map<Alike, DatanodeDescriptor> free = new LinkedHashMap<>();
      racks.forEach((alike, some) -> first(some, taken).ifPresent(node -> free.put(alike, node)));
      Set<DatanodeDescriptor> asked = new HashSet<>(free.values());
      taken.values().stream().filter(map::contains).forEach(asked::add);
      Predicate<DatanodeDescriptor> fits = fits(member, asked);
      Set<Node> nodes = new HashSet<>();
      free.forEach(
          (alike, node) -> {
            if (!fits.test(node)) {
              racks
                  .getOrDefault(alike, List.of())
                  .forEach(rack -> nodes.addAll(rack.getChildren()));
            }
          });
      nodes.removeAll(taken.values());
      taken.values().stream()
          .filter(node -> asked.contains(node) && !fits.test(node))
          .forEach(nodes::add);
      return nodes;
    }

    private static Set<String> union(List<String> some, List<String> others) {
      Set<String> all = new LinkedHashSet<>(some);
      all.addAll(others);
      return all;
    }

    /** The first node of some racks that has no block of the stripe. */
    private static Optional<DatanodeDescriptor> first(
        List<InnerNode> racks, Map<String, DatanodeDescriptor> taken) {
      for (InnerNode rack : racks) {
        for (Node child : rack.getChildren()) {
          if (child instanceof DatanodeDescriptor node
              && !taken.containsKey(node.getDatanodeUuid())) {
            return Optional.of(node);
          }
        }
      }
      return Optional.empty();
    }
  }

  /**
   * Racks that a rule cannot tell apart.
   *
   * @param name of a rack, or of a site for all its other racks
   */
  private record Alike(String name, boolean rack) {
    static Alike of(String rack, Set<String> named) {
      return named.contains(rack)
          ? new Alike(rack, true)
          : new Alike(NetworkLocations.site(rack), false);
    }
  }
}
