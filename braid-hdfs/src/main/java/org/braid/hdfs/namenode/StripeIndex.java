package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.XAttrStorage;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The published stripes in memory, by id and by block. The namespace is the truth: the index is
 * read from it at first use, after a failover, and when asked for a block it does not know.
 *
 * <p>Look-ups take no lock of the NameNode's and may be made under one; {@link #refresh} may not.
 */
final class StripeIndex {
  private static final Logger LOG = LoggerFactory.getLogger(StripeIndex.class);
  private static final long UNKNOWN_BLOCK_MILLIS = 1000;

  /** A published stripe and where its parity file stands. */
  record Entry(StripeProto stripe, String path, long inode) {
    String id() {
      return stripe.getId();
    }

    /** The number of the member that is a block; -1 when none is. */
    int memberOf(long blockId) {
      for (int i = 0; i < stripe.getMembersCount(); i++) {
        MemberProto member = stripe.getMembers(i);
        if (member.hasBlock() && member.getBlock().getId() == blockId) {
          return i;
        }
      }
      return -1;
    }
  }

  private record Maps(NavigableMap<String, Entry> byId, Map<Long, String> byBlock) {
    Maps() {
      this(new ConcurrentSkipListMap<>(), new ConcurrentHashMap<>());
    }

    void put(Entry entry) {
      remove(entry.id());
      byId.put(entry.id(), entry);
      for (MemberProto member : entry.stripe.getMembersList()) {
        if (member.hasBlock()) {
          byBlock.put(member.getBlock().getId(), entry.id());
        }
      }
    }

    void remove(String id) {
      Entry old = byId.remove(id);
      if (old != null) {
        for (MemberProto member : old.stripe.getMembersList()) {
          if (member.hasBlock()) {
            byBlock.remove(member.getBlock().getId(), id);
          }
        }
      }
    }
  }

  private final NameNodeHost host;

  /** Blocks of stripes that are described but not trimmed, by home. */
  private final Map<String, Set<Long>> untrimmed = new ConcurrentHashMap<>();

  private final Map<String, StripeProto> untrimmedStripes = new ConcurrentHashMap<>();

  /** Stripes that were described in the staging directory and are about to be published. */
  private final Map<Long, String> staged = new ConcurrentHashMap<>();

  private volatile Maps maps = new Maps();
  private volatile long walked;
  private volatile long transition = -1;

  StripeIndex(NameNodeHost host) {
    this.host = host;
  }

  /** The stripe of an id as the namespace has it now. */
  synchronized Optional<Entry> published(String id) throws IOException {
    String path = BraidPaths.stripePath(id);
    Optional<Entry> found = host.reading("braidStripe", () -> read(path));
    found.ifPresentOrElse(maps::put, () -> maps.remove(id));
    return found;
  }

  /** As {@link #published}, for callers that hold the NameNode's lock; indexes nothing. */
  Optional<Entry> publishedUnderLock(String id) throws IOException {
    return read(BraidPaths.stripePath(id));
  }

  /** The stripe of a block, from memory. */
  Optional<Entry> known(long blockId) {
    Maps present = maps;
    String id = present.byBlock.get(blockId);
    return id == null ? Optional.empty() : Optional.ofNullable(present.byId.get(id));
  }

  /** All stripes, from memory, by id. */
  Collection<Entry> known() {
    return maps.byId.values();
  }

  /** The stripes behind an id, from memory. */
  Collection<Entry> knownAfter(String id) {
    return maps.byId.tailMap(id, false).values();
  }

  /** The stripes of blocks; reads the namespace again when a block is not known. */
  synchronized Set<Entry> of(List<Long> blockIds) throws IOException {
    ensure();
    for (long id : blockIds) {
      String announced = known(id).isPresent() ? null : staged.get(id);
      if (announced != null && published(announced).isPresent()) {
        staged.remove(id);
      }
    }
    boolean unknown = blockIds.stream().anyMatch(id -> known(id).isEmpty());
    if (unknown && Time.monotonicNow() - walked >= UNKNOWN_BLOCK_MILLIS) {
      refresh();
    }
    Set<Entry> entries = new LinkedHashSet<>();
    for (long id : blockIds) {
      known(id).ifPresent(entries::add);
    }
    return entries;
  }

  /** Indexes a stripe that was just written to its parity file. */
  synchronized void described(String path, StripeProto stripe) throws IOException {
    await(stripe);
    if (path.equals(BraidPaths.stripePath(stripe.getId()))) {
      published(stripe.getId());
      return;
    }
    for (MemberProto member : stripe.getMembersList()) {
      if (member.hasBlock()) {
        staged.put(member.getBlock().getId(), stripe.getId());
      }
    }
  }

  private void await(StripeProto stripe) {
    trimmed(stripe.getId());
    untrimmedStripes.put(stripe.getId(), stripe);
    for (MemberProto member : stripe.getMembersList()) {
      if (member.hasBlock() && member.hasHome()) {
        untrimmed
            .computeIfAbsent(member.getHome(), home -> ConcurrentHashMap.newKeySet())
            .add(member.getBlock().getId());
      }
    }
  }

  /** Notes that a stripe has no surplus replicas left. */
  synchronized void trimmed(String id) {
    StripeProto stripe = untrimmedStripes.remove(id);
    if (stripe == null) {
      return;
    }
    for (MemberProto member : stripe.getMembersList()) {
      Set<Long> blocks = member.hasBlock() ? untrimmed.get(member.getHome()) : null;
      if (blocks != null) {
        blocks.remove(member.getBlock().getId());
      }
    }
  }

  /** Whether a stripe is described but not trimmed since. */
  boolean isAwaited(String id) {
    return untrimmedStripes.containsKey(id);
  }

  /**
   * Blocks whose home is a DataNode and whose stripe is described but not trimmed: while they have
   * several replicas the one at home is to stay.
   */
  Set<Long> awaitedAt(String uuid) {
    return untrimmed.getOrDefault(uuid, Set.of());
  }

  synchronized void deleted(String id) {
    maps.remove(id);
    trimmed(id);
  }

  /** Reads the index at first use and after a failover. */
  synchronized void ensure() throws IOException {
    if (!isRead()) {
      refresh();
    }
  }

  /** Whether the index was read since this NameNode became what it is, active or standby. */
  boolean isRead() {
    return transition == host.nameNode().getLastHATransitionTime() && walked != 0;
  }

  /** Reads all stripes from the namespace, directory by directory under its lock. */
  synchronized void refresh() throws IOException {
    long before = host.nameNode().getLastHATransitionTime();
    long start = Time.monotonicNow();
    Maps fresh = new Maps();
    boolean first = transition != before;
    for (String directory : host.reading("braidStripes", () -> children(BraidPaths.STRIPES))) {
      List<Entry> entries =
          host.reading(
              "braidStripes",
              () -> {
                List<Entry> read = new ArrayList<>();
                for (String path : children(directory)) {
                  read(path).ifPresent(read::add);
                }
                return read;
              });
      entries.forEach(fresh::put);
      if (first) {
        host.reading("braidStripes", () -> awaitReplicated(entries));
      }
    }
    maps = fresh;
    staged.keySet().removeIf(fresh.byBlock::containsKey);
    walked = Math.max(1, Time.monotonicNow());
    transition = before;
    LOG.debug("read {} stripes in {} ms", fresh.byId.size(), walked - start);
  }

  /** A conversion that another NameNode, or this one before a restart, saw begin. */
  private int awaitReplicated(List<Entry> entries) {
    int awaited = 0;
    for (Entry entry : entries) {
      boolean replicated =
          entry.stripe.getMembersList().stream()
              .filter(MemberProto::hasBlock)
              .anyMatch(
                  m ->
                      ReplicaView.stored(host.blocks(), m.getBlock().getId())
                          .filter(block -> block.getReplication() > 1)
                          .isPresent());
      if (replicated) {
        await(entry.stripe);
        awaited++;
      }
    }
    return awaited;
  }

  private List<String> children(String path) throws IOException {
    INode inode = directory().unprotectedResolvePath(path).getLastINode();
    List<String> paths = new ArrayList<>();
    if (inode != null && inode.isDirectory()) {
      for (INode child : inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
        paths.add(path + "/" + child.getLocalName());
      }
    }
    return paths;
  }

  private Optional<Entry> read(String path) throws IOException {
    INode inode = directory().unprotectedResolvePath(path).getLastINode();
    if (inode == null || !inode.isFile()) {
      return Optional.empty();
    }
    XAttr attribute =
        XAttrStorage.readINodeXAttrByPrefixedName(
            inode, Snapshot.CURRENT_STATE_ID, BraidPaths.STRIPE_XATTR);
    if (attribute == null || attribute.getValue() == null) {
      LOG.warn("{} has no attribute {}: not a stripe", path, BraidPaths.STRIPE_XATTR);
      return Optional.empty();
    }
    try {
      StripeProto stripe = StripeProto.parseFrom(attribute.getValue());
      if (!path.endsWith("/" + stripe.getId())) {
        LOG.warn("{} describes stripe {}: not a stripe", path, stripe.getId());
        return Optional.empty();
      }
      return Optional.of(new Entry(stripe, path, inode.getId()));
    } catch (InvalidProtocolBufferException e) {
      LOG.warn(
          "attribute {} of {} ({} bytes) cannot be read: not a stripe: {}",
          BraidPaths.STRIPE_XATTR,
          path,
          attribute.getValue().length,
          e.getMessage());
      return Optional.empty();
    }
  }

  private FSDirectory directory() {
    return host.namesystem().getFSDirectory();
  }
}
