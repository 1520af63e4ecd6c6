package org.braid.hdfs.namenode.stripes;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Raises the replication of files and of their trimmed blocks. */
public final class Raiser {
  private static final Logger LOG = LoggerFactory.getLogger(Raiser.class);

  private static final int LEAST = 2;

  /** Stripes of a part. */
  private static final int PART = 2000;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final OpenWrites writes;

  public Raiser(NameNodeHost host, StripeIndex index, OpenWrites writes) {
    this.host = host;
    this.index = index;
    this.writes = writes;
  }

  /**
   * Raises the aims of the remaining data blocks of a stripe that lost some: to the greater of
   * their files' replication before conversion and now, at least two. The aims are in memory only;
   * {@link #protectThinned} raises them again after a restart.
   */
  public void protect(String stripeId) throws IOException {
    Optional<Entry> entry = index.published(stripeId);
    if (entry.isEmpty()) {
      return;
    }
    int raised =
        host.changing(
            "braidProtect",
            () -> {
              int blocks = 0;
              if (note(entry.get())) {
                for (Member member : entry.get().stripe().members()) {
                  blocks += raise(entry.get(), member) ? 1 : 0;
                }
              }
              return blocks;
            });
    host.metrics().count(Count.BLOCKS_PROTECTED, raised);
    if (raised > 0) {
      LOG.info("stripe {} lost data blocks: replicas of {} others are asked for", stripeId, raised);
    }
  }

  /** Raises the aims of blocks whose stripes are about to lose other blocks. */
  public void protectBlocks(Collection<Long> blocks) throws IOException {
    int[] raised = new int[1];
    host.changingEach(
        "braidProtect",
        blocks,
        id -> {
          Optional<Entry> entry = index.known(id);
          Optional<Member> member =
              entry.flatMap(
                  e -> e.stripe().members().stream().filter(m -> m.isBlock(id)).findFirst());
          raised[0] += member.isPresent() && raise(entry.get(), member.get()) ? 1 : 0;
        });
    host.metrics().count(Count.BLOCKS_PROTECTED, raised[0]);
  }

  /** Raises the replication of an encoded data block, if it is 1. The write lock is held. */
  private boolean raise(Entry entry, Member member) throws IOException {
    Optional<Held> held = StripeReader.owned(host, member);
    boolean data = held.isPresent() && held.get().file().getId() != entry.inode();
    if (!data || !index.holds(entry, member) || host.aims().of(held.get().block()) != 1) {
      return false;
    }
    int recorded = Math.max(LEAST, member.replication());
    short wanted = (short) Math.max(recorded, held.get().file().getFileReplication());
    host.aims().set(held.get().block(), wanted);
    writes.lowered(held.get().file().getId());
    return true;
  }

  /**
   * Raises the aims in the next stripes of all those that lost data blocks to deletions and
   * changes: with fewer blocks, fewer losses can be repaired.
   *
   * @param after id of a stripe, or empty
   * @return the id behind which the next part begins; empty after the last part
   */
  Optional<String> protectThinned(String after) throws IOException {
    List<String> found = new ArrayList<>();
    Deque<String> seen = new ArrayDeque<>();
    index.visit(
        "braidProtect",
        after,
        entry -> {
          seen.add(entry.id());
          return addUnprotected(entry, found) && seen.size() < PART;
        });
    for (String stripe : found) {
      protect(stripe);
    }
    if (seen.size() == PART) {
      return Optional.of(seen.getLast());
    }
    forgetGone();
    return Optional.empty();
  }

  /** Of files that are gone nothing is remembered: else it would become more and more. */
  private void forgetGone() throws IOException {
    host.readingEachFile(
        "braidProtect",
        writes.lowered(),
        inode -> {
          if (host.namesystem().getFSDirectory().getInode(inode) == null) {
            writes.forgetLowered(inode);
          }
        });
  }

  /**
   * Raises the aims in stripes of which blocks were deleted altogether, which takes much less time
   * than a scan of all stripes.
   */
  void protectGone() throws IOException {
    StripeReader.find(
        host,
        index,
        "braidProtect",
        id -> ReplicaView.stored(host.blocks(), id).isEmpty(),
        page -> {
          List<String> found = new ArrayList<>();
          index.visit("braidProtect", page, entry -> addUnprotected(entry, found));
          for (String stripe : found) {
            protect(stripe);
          }
        });
  }

  private boolean addUnprotected(Entry entry, List<String> found) throws IOException {
    if (isUnprotected(entry)) {
      found.add(entry.id());
    }
    return true;
  }

  /** Whether a stripe lost data blocks, which then count no longer. */
  private boolean note(Entry entry) throws IOException {
    if (!StripeReader.lostData(host, entry)) {
      return false;
    }
    long blocks = 0;
    long bytes = 0;
    long replicated = 0;
    boolean needed = false;
    for (Member member : entry.stripe().members().subList(0, entry.stripe().code().k())) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isPresent()) {
        needed |= index.holds(entry, member) && !held.get().isReplicated();
      } else if (!member.isVirtual()) {
        blocks++;
        bytes += member.block().length();
        replicated += member.block().length() * Math.max(1, member.replication());
      }
    }
    if (index.publishedUnderLock(entry.id()).isPresent()) { // not swept meanwhile
      index
          .totals()
          .shrink(entry.stripe(), new StripeTotals.Gone(blocks, bytes, replicated, needed));
    }
    return true;
  }

  /** Whether data blocks of a stripe are gone and others have nothing but that stripe. */
  private boolean isUnprotected(Entry entry) throws IOException {
    if (!note(entry)) {
      return false;
    }
    for (Member member : entry.stripe().members().subList(0, entry.stripe().code().k())) {
      Optional<Held> held = StripeReader.owned(host, member);
      if (held.isPresent()
          && host.aims().of(held.get().block()) == 1
          && index.holds(entry, member)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Raises a file's replication. Also heals a file whose conversion stopped half-way, which leaves
   * its replication higher than the aims of some blocks.
   *
   * @throws FileNotFoundException when no file has the inode
   */
  public void raise(long inode, int replication) throws IOException {
    // A file may have had more than HDFS allows by now.
    short wanted = (short) Math.min(replication, host.blocks().maxReplication);
    if (replication < 1) {
      throw new IOException("replication " + replication + " of inode " + inode + " is not valid");
    }
    short present = host.readingFiles("braidRaise", () -> file(inode).getFileReplication());
    if (present < wanted) {
      requireInNamespace(inode);
      host.asOwner(() -> host.calls().setReplication(BraidPaths.inode(inode), wanted));
    }
    Faults.reach(FaultStep.NAMENODE_RAISE, Long.toString(inode));
    int healed = raiseBlocks(inode, wanted);
    host.metrics().count(Count.FILES_RAISED);
    LOG.info(
        "raised inode {} from replication {} to {}, {} blocks were below it",
        inode,
        present,
        wanted,
        healed);
  }

  /**
   * Raises the blocks of a file that aim at less than it does, in short holds of the lock: there
   * may be very many.
   *
   * @return how many there were
   */
  private int raiseBlocks(long inode, short wanted) throws IOException {
    BlockInfo[] blocks = host.readingFiles("braidRaise", () -> file(inode).getBlocks());
    int[] raised = new int[1];
    host.changingEach(
        "braidRaise",
        Arrays.asList(blocks),
        block -> {
          short all = (short) Math.max(wanted, file(inode).getFileReplication());
          // One that was cut off meanwhile is no block of the file any more.
          if (block.getBlockCollectionId() == inode && host.aims().of(block) < all) {
            host.aims().set(block, all);
            raised[0]++;
          }
        });
    return raised[0];
  }

  /**
   * HDFS looks the path of a number up: that of a file that only snapshots have may be another's.
   */
  private void requireInNamespace(long inode) throws IOException {
    boolean there =
        host.readingFiles(
            "braidRaise",
            () -> Namespace.pathTo(host.namesystem().getFSDirectory(), file(inode)).isPresent());
    if (!there) {
      throw new FileNotFoundException("inode " + inode + " is in snapshots only");
    }
  }

  private INodeFile file(long id) throws IOException {
    INode inode = host.namesystem().getFSDirectory().getInode(id);
    if (inode == null || !inode.isFile()) {
      throw new FileNotFoundException("no file has inode " + id);
    }
    if (inode.asFile().isStriped()) {
      throw new IOException("inode " + id + " is stored by HDFS's own erasure coding");
    }
    return inode.asFile();
  }
}
