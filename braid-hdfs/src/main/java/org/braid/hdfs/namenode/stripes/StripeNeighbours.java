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
import java.util.concurrent.TimeUnit;
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
 * The nodes that HDFS must avoid when it copies a block of a stripe, for example from a node that
 * is being taken out of service: the nodes of the stripe's other blocks, and racks where the
 * stripe's rule forbids the block. HDFS does not tell the placement policy which block it copies.
 * It is one of the file's blocks with a replica on the source, so the nodes to avoid for all of
 * these blocks count. HDFS does not tell the targets of other running copies either, so this class
 * remembers them.
 */
public final class StripeNeighbours {
  private static final Logger LOG = LoggerFactory.getLogger(StripeNeighbours.class);

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Found<Near> found = new Found<>(Time::monotonicNow);
  private final OnTheWay onTheWay;

  public StripeNeighbours(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
    this.onTheWay =
        new OnTheWay(
            Time::monotonicNow,
            TimeUnit.SECONDS.toMillis(host.blocks().getReconstructionPendingTimeout()));
  }

  /**
   * The nodes that a copy must avoid.
   *
   * @param apart nodes to exclude; empty when none of the blocks is in a stripe
   * @param alsoApart the same nodes, and those that the possible targets of other blocks of the
   *     stripes forbid; excluded only if enough other nodes are left, because it is unknown which
   *     of the blocks are on their way
   * @param blocks the blocks of which HDFS may copy one
   */
  public record AvoidedNodes(Set<Node> apart, Set<Node> alsoApart, List<Long> blocks) {
    static final AvoidedNodes NONE = new AvoidedNodes(Set.of(), Set.of(), List.of());
  }

  /** The nodes to avoid, and the blocks of a file on a source that are in stripes. */
  private record Near(Set<Node> nodes, List<Long> blocks) {}

  /**
   * A file's key and blocks from one hold of the lock, because its snapshots may be deleted between
   * two holds.
   */
  private record Asked(Blocks key, BlockInfo[] blocks) {
    static Asked of(INodeFile file) {
      return new Asked(Blocks.of(file), file.getBlocks());
    }
  }

  /**
   * The nodes that a copy of a block from {@code source} must avoid. HDFS asks for each block that
   * it copies, many times in a row for a large file, so results of the last second are used again.
   */
  public AvoidedNodes of(String path, DatanodeDescriptor source, NetworkTopology map) {
    try {
      Optional<Asked> file =
          host.readingFiles(
              "braidNeighbours",
              () -> {
                INode inode = host.inode(path);
                return inode == null || !inode.isFile()
                    ? Optional.empty()
                    : Optional.of(Asked.of(inode.asFile()));
              });
      if (file.isEmpty()) {
        return AvoidedNodes.NONE;
      }
      Near near =
          found.of(
              file.get().key(),
              source.getDatanodeUuid(),
              () -> find(file.get().blocks(), source, map));
      return new AvoidedNodes(near.nodes, alsoApart(near, map), near.blocks);
    } catch (IOException e) {
      LOG.debug("neighbours of {} are not known: {}", path, e.getMessage());
      return AvoidedNodes.NONE;
    }
  }

  /** Notes the targets that HDFS has chosen for a copy. */
  public void chosen(AvoidedNodes avoided, DatanodeStorageInfo... targets) {
    if (avoided.blocks.size() <= OnTheWay.MOST) {
      for (DatanodeStorageInfo target : targets) {
        String uuid = target.getDatanodeDescriptor().getDatanodeUuid();
        avoided.blocks.forEach(id -> onTheWay.add(id, uuid));
      }
    }
  }

  private Set<Node> alsoApart(Near near, NetworkTopology map) throws IOException {
    if (onTheWay.isEmpty() || near.blocks.size() > OnTheWay.MOST) {
      return near.nodes;
    }
    Set<Node> nodes = new HashSet<>(near.nodes);
    host.readingEach(
        "braidNeighbours",
        near.blocks,
        id -> index.known(id).ifPresent(entry -> addOnTheWay(entry, id, map, nodes)));
    return nodes;
  }

  private void addOnTheWay(Entry entry, long moving, NetworkTopology map, Set<Node> nodes) {
    Map<Integer, List<String>> targets = onTheWay.of(entry.stripe(), moving);
    if (!targets.isEmpty()) {
      places(entry).on(targets).forEach(there -> add(entry, there, moving, map, nodes));
    }
  }

  /**
   * Scans a file's blocks in short holds of the lock, then the stripes of the blocks that are on
   * the source.
   */
  private Near find(BlockInfo[] blocks, DatanodeDescriptor source, NetworkTopology map)
      throws IOException {
    List<Long> there = new ArrayList<>();
    host.readingEachBlock(
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
        id -> index.known(id).ifPresent(entry -> add(entry, places(entry), id, map, nodes)));
    return new Near(nodes, there);
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

  /** Targets of running copies, each until HDFS would choose another one. Thread-safe. */
  static final class OnTheWay {
    /** Maximum number of blocks for which a target is remembered, and of targets for each block. */
    static final int MOST = 8;

    private static final int MOST_BLOCKS = 10_000;

    private record Target(String uuid, long since) {}

    private final LongSupplier clock;
    private final long millis;
    private final Map<Long, List<Target>> blocks =
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, List<Target>> eldest) {
            return size() > MOST_BLOCKS;
          }
        };

    /**
     * Starts without targets.
     *
     * @param clock milliseconds that never run backwards
     * @param millis time for which a target is remembered
     */
    OnTheWay(LongSupplier clock, long millis) {
      this.clock = clock;
      this.millis = millis;
    }

    synchronized boolean isEmpty() {
      return blocks.isEmpty();
    }

    synchronized void add(long block, String uuid) {
      List<Target> targets = new ArrayList<>(present(block));
      targets.add(0, new Target(uuid, clock.getAsLong()));
      blocks.remove(block); // the last ones stay longest
      blocks.put(block, List.copyOf(targets.subList(0, Math.min(MOST, targets.size()))));
    }

    /** Possible targets of the other blocks of a stripe, by member, the newest first. */
    synchronized Map<Integer, List<String>> of(Stripe stripe, long moving) {
      Map<Integer, List<String>> others = new LinkedHashMap<>();
      for (int i = 0; i < stripe.members().size(); i++) {
        if (!stripe.isVirtual(i) && !stripe.member(i).isBlock(moving)) {
          List<Target> targets = present(stripe.member(i).block().id());
          if (!targets.isEmpty()) {
            others.put(i, targets.stream().map(Target::uuid).distinct().toList());
          }
        }
      }
      return others;
    }

    private List<Target> present(long block) {
      List<Target> targets = blocks.getOrDefault(block, List.of());
      long now = clock.getAsLong();
      List<Target> left = targets.stream().filter(t -> now - t.since < millis).toList();
      if (left.isEmpty()) {
        blocks.remove(block);
      }
      return left;
    }
  }

  /** Results of the last second, by file and source. Thread-safe. */
  static final class Found<T> {
    /** Less than the time between two rounds in which HDFS chooses blocks to copy. */
    static final long MILLIS = 1000;

    private static final int MOST_FILES = 16;

    private record Kept<T>(long millis, T found) {}

    private final LongSupplier millis;
    private final Answers<Map<String, Kept<T>>> files = new Answers<>(MOST_FILES);

    /**
     * Starts without results.
     *
     * @param millis a clock that never runs backwards
     */
    Found(LongSupplier millis) {
      this.millis = millis;
    }

    T of(Blocks file, String source, Work<T> find) throws IOException {
      Map<String, Kept<T>> sources = files.of(file);
      if (sources == null) {
        sources = new ConcurrentHashMap<>();
        files.put(file, sources);
      }
      long now = millis.getAsLong();
      sources.values().removeIf(earlier -> now - earlier.millis >= MILLIS);
      Kept<T> present = sources.get(source);
      if (present == null) {
        present = new Kept<>(now, find.run());
        sources.put(source, present);
      }
      return present.found;
    }
  }

  /**
   * Adds the nodes that the stripe's rule forbids a block, given the homes and the present nodes of
   * the other blocks.
   */
  private static void add(
      Entry entry, Places places, long moving, NetworkTopology map, Set<Node> nodes) {
    try {
      int member = entry.stripe().positionOf(moving).orElseThrow();
      nodes.addAll(places.forbidden(member, map));
    } catch (IllegalArgumentException e) {
      LOG.warn("where blocks of stripe {} may be is not known: {}", entry.id(), e.getMessage());
    }
  }

  /**
   * Whether the stripe's rule allows a block on a node, given the homes and the present nodes of
   * the other blocks. The namesystem's lock is held.
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
   * Whether a node to which HDFS has copied a block may become its home: if the rule allows it, as
   * in {@link #fits}, unless another block of the stripe has several replicas and none at home, any
   * of which may be the one that stays.
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

  /** The node of the replica that counts: the home, unless all good replicas are elsewhere. */
  private String holder(Member member) {
    List<String> strayed = strayed(member);
    return strayed.isEmpty() ? member.home() : strayed.get(0);
  }

  /**
   * The nodes of a block's good replicas, if the block aims at one replica and none is at home;
   * else empty.
   */
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
   * The homes and the present nodes of a stripe's blocks.
   *
   * @param homes UUID of each member's home
   * @param holders UUID of the node with each member's replica
   * @param registered returns the DataNode with a UUID, dead or alive, or null
   */
  record Places(
      Stripe stripe,
      List<String> homes,
      List<String> holders,
      Function<String, @Nullable DatanodeDescriptor> registered) {
    /**
     * Variants of these places with members at their possible targets, so many that each target
     * occurs in one.
     *
     * @param targets UUIDs of target nodes by member, at least one each
     */
    List<Places> on(Map<Integer, List<String>> targets) {
      int most = targets.values().stream().mapToInt(List::size).max().orElse(0);
      List<Places> all = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        int turn = i;
        List<String> there = new ArrayList<>(holders);
        targets.forEach(
            (member, uuids) -> there.set(member, uuids.get(Math.min(turn, uuids.size() - 1))));
        all.add(new Places(stripe, homes, there, registered));
      }
      return all;
    }

    /**
     * A test whether the rule allows a member on a node, given the places of the others.
     *
     * @param asked nodes to test
     * @throws IllegalArgumentException when the stripe's description is no valid rule
     */
    Predicate<DatanodeDescriptor> fits(int member, Collection<DatanodeDescriptor> asked) {
      StripeHomes belong = StripeHomes.of(registered, stripe, homes, asked);
      StripeHomes are = StripeHomes.of(registered, stripe, holders, asked);
      return node ->
          belong.fits(member, node.getDatanodeUuid()) && are.fits(member, node.getDatanodeUuid());
    }

    /**
     * The nodes of a cluster that the rule forbids a member, given the places of the others. The
     * nodes of a rack that hold no block of the stripe are alike. So are the racks of a site that
     * hold no block and that the stripe does not name. Of nodes that are alike, one is tested for
     * all.
     *
     * @throws IllegalArgumentException when the stripe's description is no valid rule
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

    /** The first node of the racks that holds no block of the stripe. */
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
   * Racks that a rule cannot distinguish.
   *
   * @param name name of a rack, or of a site for all its other racks
   * @param rack whether the name is that of a rack
   */
  private record Alike(String name, boolean rack) {
    static Alike of(String rack, Set<String> named) {
      return named.contains(rack)
          ? new Alike(rack, true)
          : new Alike(NetworkLocations.site(rack), false);
    }
  }
}
