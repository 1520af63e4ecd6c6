package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.XAttrStorage;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The published stripes in memory, by id and by block. The namespace is the truth: the index is
 * read from it at first use, after a failover, and when asked for a block it does not know.
 *
 * <p>Look-ups take no lock of the NameNode's and may be made under one; {@link #refresh} may not.
 */
public final class StripeIndex implements ForeignFiles.Stripes {
  private static final Logger LOG = LoggerFactory.getLogger(StripeIndex.class);
  private static final long UNKNOWN_BLOCK_MILLIS = 1000;

  /** A published stripe and where its parity file stands. */
  public record Entry(Stripe stripe, String path, long inode) {
    String id() {
      return stripe.id();
    }
  }

  private record Maps(NavigableMap<String, Entry> byId, Map<Long, String> byBlock) {
    Maps() {
      this(new ConcurrentSkipListMap<>(), new ConcurrentHashMap<>());
    }

    void put(Entry entry) {
      // Never without its blocks, not for a moment: look-ups take no lock.
      Entry old = byId.put(entry.id(), entry);
      Set<Long> present = new HashSet<>();
      for (Member member : entry.stripe.members()) {
        if (!member.isVirtual()) {
          present.add(member.block().id());
          byBlock.merge(member.block().id(), entry.id(), this::later);
        }
      }
      if (old != null) {
        for (Member member : old.stripe.members()) {
          if (!member.isVirtual() && !present.contains(member.block().id())) {
            byBlock.remove(member.block().id(), entry.id());
          }
        }
      }
    }

    /** Of two stripes that hold a block the one whose parity file is younger. */
    private String later(String one, String other) {
      Entry first = byId.get(one);
      Entry second = byId.get(other);
      return first != null && (second == null || first.inode > second.inode) ? one : other;
    }

    void remove(String id) {
      Entry old = byId.remove(id);
      if (old != null) {
        for (Member member : old.stripe.members()) {
          if (!member.isVirtual()) {
            byBlock.remove(member.block().id(), id);
          }
        }
      }
    }
  }

  private final NameNodeHost host;

  private final UnfinishedStripes unfinished = new UnfinishedStripes();
  private final AtomicLong changes = new AtomicLong();
  private volatile Maps maps = new Maps();
  private volatile long walked;
  private volatile long transition = -1;

  public StripeIndex(NameNodeHost host) {
    this.host = host;
  }

  /** The stripe of an id as the namespace has it now. */
  public synchronized Optional<Entry> published(String id) throws IOException {
    String path = BraidPaths.stripePath(id);
    Optional<Entry> found = host.reading("braidStripe", () -> read(path));
    if (found.isPresent()) {
      maps.put(found.get());
      changes.incrementAndGet();
      unfinished.unstage(id);
    } else {
      maps.remove(id);
    }
    return found;
  }

  /** As {@link #published}, for callers that hold the NameNode's lock; indexes nothing. */
  Optional<Entry> publishedUnderLock(String id) throws IOException {
    return read(BraidPaths.stripePath(id));
  }

  /** The stripe of a block, from memory. */
  public Optional<Entry> known(long blockId) {
    Maps present = maps;
    String id = present.byBlock.get(blockId);
    return id == null ? Optional.empty() : Optional.ofNullable(present.byId.get(id));
  }

  /** The member of a published stripe that a block is now, from memory. */
  public Optional<Member> holding(BlockInfo block) {
    return known(block.getBlockId())
        .flatMap(
            entry ->
                entry.stripe().members().stream()
                    .filter(member -> !member.isVirtual())
                    .filter(member -> ReplicaView.same(block, member.block()))
                    .findFirst());
  }

  /** Whether a member is in no later stripe. A block that is not known is in none. */
  public boolean holds(Entry entry, Member member) {
    return known(member.block().id())
        .filter(at -> at.inode() > entry.inode())
        .filter(
            at ->
                at.stripe.members().stream()
                    .anyMatch(other -> !other.isVirtual() && other.block().equals(member.block())))
        .isEmpty();
  }

  /** All stripes, from memory, by id. */
  public Collection<Entry> known() {
    return maps.byId.values();
  }

  /** The stripes behind an id, from memory. */
  Collection<Entry> knownAfter(String id) {
    return maps.byId.tailMap(id, false).values();
  }

  /** The stripes of blocks; reads the namespace again when a block is not known. */
  public synchronized Set<Entry> of(List<Long> blockIds) throws IOException {
    ensure();
    for (long id : blockIds) {
      String announced = known(id).isPresent() ? null : unfinished.stagedWith(id);
      if (announced != null) {
        published(announced);
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
  public synchronized void described(String path, Stripe stripe) throws IOException {
    unfinished.await(stripe);
    if (path.equals(BraidPaths.stripePath(stripe.id()))) {
      published(stripe.id());
      return;
    }
    unfinished.stage(path, stripe);
    changes.incrementAndGet();
  }

  /**
   * Takes notice of a file that was renamed: into the directory of stripes, it publishes one. Where
   * a whole directory came there, all stripes are to be read.
   */
  public synchronized void renamed(String path) throws IOException {
    if (BraidPaths.stripeAt(path).isPresent()) {
      published(BraidPaths.stripeAt(path).get());
    } else if (path.equals(BraidPaths.ROOT) || path.startsWith(BraidPaths.STRIPES)) {
      walked = 0;
    }
  }

  /**
   * Forgets the stripes whose publication has failed: they are neither in the staging directory any
   * more nor published.
   *
   * @return their blocks
   */
  synchronized Set<Long> forgetFailed() throws IOException {
    Set<Long> blocks = new HashSet<>();
    for (Map.Entry<String, UnfinishedStripes.Staged> entry : unfinished.staged().entrySet()) {
      String id = entry.getKey();
      String path = entry.getValue().path();
      boolean gone =
          host.reading(
              "braidStaged", () -> directory().unprotectedResolvePath(path).getLastINode() == null);
      if (gone && published(id).isEmpty()) {
        unfinished.unstage(id);
        unfinished.trimmed(id);
        entry.getValue().stripe().members().stream()
            .filter(member -> !member.isVirtual())
            .forEach(member -> blocks.add(member.block().id()));
      }
    }
    return blocks;
  }

  /** Whether the stripe of a block is described in the staging directory only. */
  boolean isStaged(long blockId) {
    return unfinished.stagedWith(blockId) != null;
  }

  @Override
  public boolean concerns(long blockId) {
    return isStaged(blockId) || maps.byBlock.containsKey(blockId);
  }

  @Override
  public long changes() {
    return changes.get();
  }

  /** Notes that a stripe has no surplus replicas left. */
  public synchronized void trimmed(String id) {
    unfinished.trimmed(id);
  }

  /** Whether a stripe is described but not trimmed since. */
  boolean isAwaited(String id) {
    return unfinished.isAwaited(id);
  }

  /**
   * Blocks whose home is a DataNode and whose stripe is described but not trimmed: while they have
   * several replicas the one at home is to stay.
   */
  public Set<Long> awaitedAt(String uuid) {
    return unfinished.awaitedAt(uuid);
  }

  public synchronized void deleted(String id) {
    maps.remove(id);
    unfinished.trimmed(id);
  }

  /** Reads the index at first use and after a failover. */
  public void ensure() throws IOException {
    if (isRead()) {
      return;
    }
    synchronized (this) {
      if (!isRead()) {
        refresh();
      }
    }
  }

  /** Whether the index was read since this NameNode became what it is, active or standby. */
  @Override
  public boolean isRead() {
    return transition == host.nameNode().getLastHATransitionTime() && walked != 0;
  }

  /** Reads all stripes from the namespace, directory by directory under its lock. */
  public synchronized void refresh() throws IOException {
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
    changes.incrementAndGet();
    fresh.byId.keySet().forEach(unfinished::unstage);
    walked = Math.max(1, Time.monotonicNow());
    transition = before;
    LOG.debug("read {} stripes in {} ms", fresh.byId.size(), walked - start);
  }

  /** A conversion that another NameNode, or this one before a restart, saw begin. */
  private int awaitReplicated(List<Entry> entries) {
    int awaited = 0;
    for (Entry entry : entries) {
      boolean replicated =
          entry.stripe.members().stream()
              .filter(member -> !member.isVirtual())
              .anyMatch(
                  m ->
                      ReplicaView.stored(host.blocks(), m.block().id())
                          .filter(block -> block.getReplication() > 1)
                          .isPresent());
      if (replicated) {
        unfinished.await(entry.stripe);
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
      Stripe stripe = StripeCodec.ofBytes(attribute.getValue());
      if (!path.endsWith("/" + stripe.id())) {
        LOG.warn("{} describes stripe {}: not a stripe", path, stripe.id());
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
