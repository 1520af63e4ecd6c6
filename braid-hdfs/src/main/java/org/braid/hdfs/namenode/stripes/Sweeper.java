package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.metrics.Cause;
import org.braid.hdfs.metrics.LinkClass;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.UnsupportedStripeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes parity that no file needs any more, and leftovers in the staging directory. */
public final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  /** Stripes of which the log says once why they are kept. */
  private static final int MOST_TOLD = 1000;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Predicate<String> claimed;
  private final int most;

  /** Those that it said so of, by their parity files. */
  private final Set<Long> kept = ConcurrentHashMap.newKeySet();

  /** The stripe behind which callers go on who do not say where. */
  private volatile String cursor = "";

  /**
   * Creates a sweeper.
   *
   * @param claimed whether a lease has claimed a stripe
   * @param most maximum number of stripes to check in one call, in addition to the named ones
   */
  public Sweeper(NameNodeHost host, StripeIndex index, Predicate<String> claimed, int most) {
    this.host = host;
    this.index = index;
    this.claimed = claimed;
    this.most = most;
  }

  /**
   * The result of a sweep.
   *
   * @param deleted deleted paths
   * @param next the stripe behind which the next call continues; empty after the last stripe
   */
  public record Swept(List<String> deleted, Optional<String> next) {
    public Swept {
      deleted = List.copyOf(deleted);
    }
  }

  /**
   * Deletes three kinds of parity files. The first are those whose data members are all deleted or
   * in later stripes. The second are those of the named stripes whose data members are each
   * deleted, or in a later stripe, or have a replication above 1 and at least two good replicas
   * that the NameNode is certain of, unless another lease has claimed the stripe, for example to
   * trim it. The third are staged files of stripes that no lease has claimed. The last block of a
   * file that was opened for appending keeps its parity until the next block follows or the file is
   * closed.
   *
   * <p>Checks a limited number of the stripes that are not named. If parity of a named stripe stays
   * only because storages owe a full block report since a failover, requests these reports; the
   * caller repeats the sweep after them.
   *
   * @param othersHave whether another lease than the caller's has claimed a named stripe
   * @param after the stripe behind which to begin; empty to continue behind the last stripe checked
   *     for any caller
   * @param fence checked under the lock, before each deletion
   */
  public Swept sweep(
      Collection<String> replicatedStripes,
      Predicate<String> othersHave,
      Optional<String> after,
      Trimmer.Fence fence)
      throws IOException {
    index.catchUp();
    Set<String> named = new HashSet<>(replicatedStripes);
    Predicate<String> replicated = id -> named.contains(id) && !othersHave.test(id);
    Set<String> candidates = new LinkedHashSet<>(replicatedStripes);
    Optional<String> next = look(after.orElse(cursor), candidates);
    if (after.isEmpty()) {
      if (next.isEmpty() && !cursor.isEmpty()) {
        next = look("", candidates);
      }
      cursor = next.orElse("");
    }
    List<String> deleted =
        host.asOwner(
            () -> {
              List<String> swept = new ArrayList<>();
              try {
                for (String id : candidates) {
                  if (!sweep(id, replicated, fence, swept) && named.contains(id)) {
                    askForReports(id);
                  }
                }
                leftovers(fence, swept);
              } finally {
                if (!swept.isEmpty()) {
                  host.namesystem().getEditLog().logSync();
                }
              }
              return swept;
            });
    if (!deleted.isEmpty()) {
      host.metrics().count(Count.PATHS_SWEPT, deleted.size());
      LOG.info("swept {} paths", deleted.size());
    }
    return new Swept(deleted, next);
  }

  /** Sweeps as above, but the claims of all leases protect parity, including the caller's own. */
  public Swept sweep(
      Collection<String> replicatedStripes, Optional<String> after, Trimmer.Fence fence)
      throws IOException {
    return sweep(replicatedStripes, claimed, after, fence);
  }

  /**
   * Deletes the parity file of a stripe, if nobody needs it: that is decided and done in one hold
   * of the NameNode's lock. Returns whether it did.
   */
  private boolean sweep(
      String id, Predicate<String> replicated, Trimmer.Fence fence, List<String> swept)
      throws IOException {
    Optional<Entry> gone =
        host.changing(
            "braidSweep",
            () -> {
              fence.check();
              Optional<Entry> now = index.publishedUnderLock(id);
              boolean deleted =
                  now.isPresent()
                      && unneeded(now.get(), replicated.test(id) ? this::safe : Sweeper::none)
                      && delete(host.namesystem().getFSDirectory().getInode(now.get().inode()));
              if (deleted) {
                countRestored(now.get());
              }
              return deleted ? now : Optional.empty();
            });
    if (gone.isPresent()) {
      swept.add(gone.get().path());
      index.deleted(gone.get());
    }
    return gone.isPresent();
  }

  private void askForReports(String id) throws IOException {
    Set<DatanodeDescriptor> owing =
        host.reading(
            "braidSweep",
            () -> {
              Optional<Entry> entry = index.publishedUnderLock(id);
              return entry.isPresent() && unneeded(entry.get(), ReplicaView::good)
                  ? Trimmer.staleNodes(host, lacking(entry.get()))
                  : Set.of();
            });
    Trimmer.askForReports(host, owing, "the parity of stripe " + id + " is deleted");
  }

  /** The data members of a stripe that have too few replicas that are there for sure. */
  private List<Member> lacking(Entry entry) throws IOException {
    List<Member> lacking = new ArrayList<>();
    for (Member member : data(entry)) {
      Optional<Held> held = StripeReader.owned(host, member);
      if (held.isPresent() && index.holds(entry, member) && !replicated(held.get(), this::safe)) {
        lacking.add(member);
      }
    }
    return lacking;
  }

  private static List<Member> data(Entry entry) throws IOException {
    return entry.stripe().members().subList(0, entry.stripe().code().k());
  }

  /**
   * Counts the copies of data blocks that HDFS has made beside those at home, as if each came from
   * there; the lock is held.
   */
  private void countRestored(Entry entry) throws IOException {
    for (Member member : data(entry)) {
      Optional<Held> held = StripeReader.owned(host, member);
      if (held.isEmpty() || !index.holds(entry, member)) {
        continue;
      }
      List<ReplicaView> copies =
          ReplicaView.of(host.blocks(), held.get().block()).stream()
              .filter(ReplicaView::usable)
              .toList();
      if (copies.isEmpty()) {
        continue;
      }
      ReplicaView home = ReplicaView.on(copies, member.home()).orElse(copies.get(0));
      for (ReplicaView copy : copies) {
        if (!copy.equals(home)) {
          LinkClass link =
              LinkClass.between(home.node().getNetworkLocation(), copy.node().getNetworkLocation());
          host.metrics().traffic().sent(Cause.RESTORE, link, member.block().length());
        }
      }
    }
  }

  /** Deletes what is in the staging directory and belongs to nobody. */
  private void leftovers(Trimmer.Fence fence, List<String> swept) throws IOException {
    for (long left : host.readingFiles("braidSweep", this::staged)) {
      Optional<String> gone =
          host.changing(
              "braidSweep",
              () -> {
                fence.check();
                INode inode = host.namesystem().getFSDirectory().getInode(left);
                String path = inode == null ? "" : inode.getFullPathName();
                return path.startsWith(BraidPaths.STAGING + "/")
                        && !claimed.test(inode.getLocalName())
                        && delete(inode)
                    ? Optional.of(path)
                    : Optional.empty();
              });
      gone.ifPresent(swept::add);
    }
  }

  /** The same for what stands in the namespace; the write lock is held. */
  private boolean delete(@Nullable INode inode) throws IOException {
    Optional<INodesInPath> path =
        inode == null
            ? Optional.empty()
            : Namespace.pathTo(host.namesystem().getFSDirectory(), inode);
    path.ifPresent(to -> HadoopInternals.delete(host.namesystem(), to));
    return path.isPresent();
  }

  /** Looks for parity that nobody needs; returns the last stripe that it looked at, if not all. */
  private Optional<String> look(String after, Set<String> found) throws IOException {
    List<String> visited = new ArrayList<>();
    AtomicBoolean more = new AtomicBoolean();
    index.visit(
        "braidSweep",
        after,
        entry -> {
          if (visited.size() == most) {
            more.set(true);
            return false;
          }
          visited.add(entry.id());
          if (unneeded(entry, Sweeper::none)) {
            found.add(entry.id());
          }
          return true;
        });
    return more.get() ? Optional.of(visited.get(most - 1)) : Optional.empty();
  }

  /**
   * Whether all data members are gone, in later stripes, or replicated.
   *
   * @param counts the replicas of which a replicated member has two
   */
  private boolean unneeded(Entry entry, Predicate<ReplicaView> counts) throws IOException {
    List<Member> data;
    try {
      data = data(entry);
    } catch (UnsupportedStripeException e) {
      if (kept.size() < MOST_TOLD && kept.add(entry.inode())) {
        LOG.warn("parity {} is kept: {}", entry.path(), e.getMessage());
      }
      return false;
    }
    for (Member member : data) {
      Optional<Held> held = StripeReader.owned(host, member);
      if (held.isPresent() && index.holds(entry, member) && !replicated(held.get(), counts)) {
        return false;
      }
    }
    return true;
  }

  private boolean replicated(Held held, Predicate<ReplicaView> counts) {
    return held.file().getFileReplication() > 1
        && !held.isOneInSnapshots()
        && !isAppendedTo(held)
        && host.aims().of(held.block()) > 1
        && ReplicaView.of(host.blocks(), held.block()).stream().filter(counts).count() >= 2;
  }

  /**
   * Whether a block is the last one of a file that is open. Who appends was not told of it, as it
   * is encoded, and gets the next one by what its stripe says of it.
   */
  private static boolean isAppendedTo(Held held) {
    return held.file().isUnderConstruction() && held.block().equals(held.file().getLastBlock());
  }

  /** Whether a replica is there for sure. */
  private boolean safe(ReplicaView replica) {
    return replica.good() && !replica.stale() && !replica.suspect(host);
  }

  private List<Long> staged() throws IOException {
    List<Long> found = new ArrayList<>();
    INode staging =
        host.namesystem()
            .getFSDirectory()
            .unprotectedResolvePath(BraidPaths.STAGING)
            .getLastINode();
    if (staging != null && staging.isDirectory()) {
      for (INode left : staging.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
        found.add(left.getId());
      }
    }
    return found;
  }

  /** No replica counts: blocks need their parity, however many they have. */
  private static boolean none(ReplicaView replica) {
    return false;
  }
}
