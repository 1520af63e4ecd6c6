package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.hdfs.time.RecentAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a removal costs other files: lost blocks are rebuilt from the remaining blocks of
 * their stripes. Scans the removed blocks once, in short holds of the NameNode's lock.
 */
public final class RemovalCheck {
  /** Blocks and directory entries that are looked at while all blocks can be read. */
  private static final long FEW = 10_000;

  /** Nodes are looked at no more often, however many removals there are. */
  private static final long NODES_MILLIS = 100;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final Rights rights;

  /** Whether a node with blocks is dead or suspect. */
  private final RecentAnswer<Boolean> silentNodes;

  private final BlockCounts leaving = new BlockCounts();
  private final RemovalWalk.Ground ground;

  /** Guards {@link #seen}, and is held while it is looked. */
  private final Object longLooks = new Object();

  private @Nullable Seen seen;

  /** A look that took long, and when it began, also as a part of which time in office. */
  private record Seen(long begun, long term, Verdict verdict) {}

  /** The permission check of removals. */
  interface Rights {
    /**
     * Whether HDFS may permit the present caller a removal, by a fast check that skips the contents
     * of directories.
     *
     * @throws AccessControlException when HDFS refuses the removal now
     */
    boolean mayPermit(Removal removal, String top) throws IOException;

    /**
     * Whether HDFS permits the removal, by HDFS's full check, which takes long for large trees and
     * holds a lock.
     */
    boolean permit(Removal removal, String top) throws IOException;
  }

  /** Removals from a NameNode. */
  public RemovalCheck(NameNodeHost host, StripeIndex index) {
    this(host, index, new RemovalRights(host));
  }

  /** Checks removals with another permission check. */
  RemovalCheck(NameNodeHost host, StripeIndex index, Rights rights) {
    this.host = host;
    this.index = index;
    this.rights = rights;
    this.silentNodes =
        new RecentAnswer<>(NODES_MILLIS, Time::monotonicNow, () -> hasSilentNodes(host));
    this.ground = new RemovalWalk.Ground(host, index, leaving, System::nanoTime);
  }

  /**
   * The result of a check.
   *
   * @param needing lost blocks that remain and cannot be rebuilt without the removed blocks
   * @param bare blocks that remain with at most one certain replica, whose loss could not be
   *     repaired without the removed blocks
   * @param thinned stripes that lose data blocks
   * @param many whether there may be more of these blocks and stripes
   * @param leaving blocks that other removals must not rely on until {@link #release}
   * @param looked number of blocks and directory entries that were scanned
   * @param owing nodes that have not reported yet whether they have replicas of bare blocks
   */
  public record Verdict(
      Set<Long> needing,
      Set<Long> bare,
      Set<String> thinned,
      boolean many,
      List<Long> leaving,
      long looked,
      Set<DatanodeDescriptor> owing) {
    static final Verdict NOTHING = nothing(false);
    private static final Verdict MANY = nothing(true);

    /** With so many blocks and directory entries others do not wait for the next look. */
    private static final long LARGE = 10_000;

    private static Verdict nothing(boolean many) {
      return new Verdict(Set.of(), Set.of(), Set.of(), many, List.of(), 0, Set.of());
    }

    /** Whether another check is likely to take long. */
    boolean isLarge() {
      return looked > LARGE;
    }

    private boolean holdsUp() {
      return !needing.isEmpty() || !bare.isEmpty();
    }
  }

  /**
   * Checks a removal that the present caller asks for. Leaves errors in the path to HDFS, and
   * missing permissions too, unless the check finds something against the removal.
   *
   * @throws AccessControlException when HDFS would refuse the call, and blocks may be lost or the
   *     check finds something
   */
  Verdict of(Removal removal) throws IOException {
    return look(removal, Asked.BY_CALLER, System.nanoTime()).orElseThrow();
  }

  /**
   * Checks a removal unless that takes seconds.
   *
   * @return empty when another thread must check it, by {@link #permitted}
   */
  Optional<Verdict> quickly(Removal removal) throws IOException {
    return look(removal, Asked.BY_HANDLER, System.nanoTime());
  }

  /** Checks a removal again whose permissions were checked before. */
  public Verdict permitted(Removal removal) throws IOException {
    return permitted(removal, System.nanoTime());
  }

  /**
   * Checks a removal again, or uses the result of another long check that began after {@code
   * since}.
   *
   * @param since nanoseconds of the system's clock
   */
  Verdict permitted(Removal removal, long since) throws IOException {
    return look(removal, Asked.BEFORE, since).orElseThrow();
  }

  /** Who waits for the answer. */
  private enum Asked {
    /** The present caller, on a thread that others do not wait for. */
    BY_CALLER,
    /** The present caller, on a handler's thread. */
    BY_HANDLER,
    /** One whose rights are known. */
    BEFORE
  }

  private Optional<Verdict> look(Removal removal, Asked asked, long since) throws IOException {
    // On a standby, as HDFS does: it may be active by the time that HDFS looks.
    host.namesystem().checkOperation(OperationCategory.WRITE);
    // HDFS would look at the safe mode later, when it may have ended.
    HadoopInternals.checkSafeMode(
        host.namesystem(), "Cannot " + removal.command() + " " + removal.path());
    index.ensure();
    if (index.size() == 0) {
      return Optional.of(Verdict.NOTHING);
    }
    Optional<RemovalWalk> walk = host.reading("braidRemoval", () -> ground.begin(removal));
    if (walk.isEmpty()) {
      return Optional.of(Verdict.NOTHING);
    }
    boolean missing = mayMiss();
    if (!missing && removal.isLong()) {
      return Optional.of(Verdict.MANY);
    }
    boolean trusted = asked == Asked.BEFORE;
    if (missing && !trusted && !rights.mayPermit(removal, walk.get().top())) {
      return Optional.of(Verdict.NOTHING);
    }
    if (asked == Asked.BY_HANDLER && removal.isLong()) {
      return Optional.empty();
    }
    if (removal.isLong()) {
      return Optional.of(longLook(walk.get(), since));
    }
    boolean kept = false;
    try {
      walk.get().walk(missing ? Long.MAX_VALUE : FEW);
      Verdict verdict = walk.get().verdict();
      // Asked late, as it takes long and rarely matters, and HDFS's audit log may tell of it.
      kept = trusted || !verdict.holdsUp() || rights.permit(removal, walk.get().top());
      return Optional.of(kept ? verdict : Verdict.NOTHING);
    } finally {
      if (!kept) {
        walk.get().giveUp();
      }
    }
  }

  /**
   * Looks at what only snapshots have, which is the same for all of them: those who wait meanwhile
   * share a look. All have the rights.
   */
  private Verdict longLook(RemovalWalk walk, long since) throws IOException {
    synchronized (longLooks) {
      Seen last = seen;
      if (last != null && last.term() == term() && last.begun() - since > 0) {
        leaving.add(last.verdict().leaving());
        return last.verdict();
      }
      long begun = System.nanoTime();
      long term = term();
      boolean done = false;
      try {
        walk.walk(Long.MAX_VALUE);
        Verdict verdict = walk.verdict();
        seen = new Seen(begun, term, verdict);
        done = true;
        return verdict;
      } finally {
        if (!done) {
          walk.giveUp();
        }
      }
    }
  }

  /** Number of the NameNode's present term; the result of a check is void in another term. */
  long term() {
    return host.term();
  }

  /** Requests block reports from nodes that may have the replicas that a removal waits for. */
  void askForReports(Removal removal, Verdict verdict) {
    Trimmer.askForReports(host, verdict.owing(), "removing " + removal.path());
  }

  /** Ends the removal of a verdict: it was made, or will not be made. */
  public void release(Verdict verdict) {
    leaving.remove(verdict.leaving());
  }

  /** Whether any block may be without a copy that can be read: known without looking at blocks. */
  private boolean mayMiss() {
    BlockManager blocks = host.blocks();
    return !blocks.isPopulatingReplQueues()
        || blocks.getReconstructionQueuesInitProgress() < 1
        || blocks.getMissingBlocksCount() > 0
        || blocks.getMissingReplOneBlocksCount() > 0
        || silentNodes.get();
  }

  private static boolean hasSilentNodes(NameNodeHost host) {
    return host.nodes().getDatanodes().stream()
        .anyMatch(node -> (!node.isAlive() || host.isSuspect(node)) && node.numBlocks() > 0);
  }
}
