package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockUnderConstructionFeature;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.braid.code.Solver;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Namespace;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.ParityFiles.Parity;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeSums;
import org.jspecify.annotations.Nullable;

/**
 * Reads the present state of stripes' blocks; that of one stripe in one hold of the namesystem's
 * lock.
 */
public final class StripeReader {
  /** Nanoseconds of a hold of the lock for many blocks. */
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Blocks between two looks at the clock. */
  private static final int STEP = 64;

  /** Stripes that are decoded at once. */
  private static final int PAGE = 200;

  /** Stripes that are added to sums in one hold of the lock, and in one call. */
  private static final int SUMMED_AT_ONCE = 2000;

  private static final int MOST_SUMMED = 1_000_000;

  private StripeReader() {}

  /** A condition on a block. */
  @FunctionalInterface
  public interface BlockTest {
    /** Whether the block with an id satisfies the condition; the namesystem's lock is held. */
    boolean holds(long id) throws IOException;
  }

  /** Receives pages of stripes. */
  @FunctionalInterface
  public interface Page {
    /** Receives the next stripes; no lock is held. */
    void take(List<Entry> page) throws IOException;
  }

  /**
   * Finds the stripes with blocks that satisfy a condition, each once. Tests all blocks, in short
   * holds of the lock, but decodes only the stripes found, because decoding takes much longer.
   *
   * @param what purpose of the holds, which the NameNode reports
   */
  public static void find(
      NameNodeHost host, StripeIndex index, String what, BlockTest test, Page pages)
      throws IOException {
    StripeTable table = index.table();
    BitSet found = new BitSet();
    for (long[] ids : table.blocks()) {
      int next = 0;
      while (next < ids.length) {
        int begin = next;
        List<Long> hits = new ArrayList<>();
        next = host.reading(what, () -> test(ids, begin, test, hits));
        hits.forEach(id -> table.mark(id, found)); // which may wait for others
      }
    }
    List<Entry> page = new ArrayList<>();
    for (int at = found.nextSetBit(0); at >= 0; at = found.nextSetBit(at + 1)) {
      table.at(at).ifPresent(page::add);
      if (page.size() == PAGE) {
        pages.take(List.copyOf(page));
        page.clear();
      }
    }
    if (!page.isEmpty()) {
      pages.take(page);
    }
  }

  /** Tests some blocks; returns the position of the next one. */
  private static int test(long[] ids, int begin, BlockTest test, List<Long> hits)
      throws IOException {
    long end = System.nanoTime() + HOLD_NANOS;
    int at = begin;
    do {
      int stop = Math.min(ids.length, at + STEP);
      for (; at < stop; at++) {
        if (test.holds(ids[at])) {
          hits.add(ids[at]);
        }
      }
    } while (at < ids.length && System.nanoTime() < end);
    return at;
  }

  /**
   * Adds the stripes behind an id to sums, up to a limit, without decoding any.
   *
   * @return the last stripe that was added when there are more; else null
   */
  public static @Nullable String sum(
      NameNodeHost host, StripeIndex index, String after, StripeSums sums) throws IOException {
    String last = after;
    for (int added = 0; added < MOST_SUMMED; ) {
      String from = last;
      List<Parity> page =
          host.readingFiles("braidStripes", () -> index.files().after(from, SUMMED_AT_ONCE));
      for (Parity parity : page) {
        last = parity.file().getLocalName();
        sums.add(last, parity.file().getId());
      }
      added += page.size();
      if (page.isEmpty()) {
        return null;
      }
    }
    return last;
  }

  /** A member's block and the file that owns it. */
  public record Held(BlockInfo block, INodeFile file) {
    /** Whether both the file and the block in memory aim at several replicas. */
    public boolean isReplicated() {
      return file.getFileReplication() > 1 && block.getReplication() > 1;
    }

    /** Whether the file, the block in memory or a snapshot asks for one replica only. */
    public boolean reliesOnParity() {
      return !isReplicated() || isOneInSnapshots();
    }

    /**
     * Whether HDFS is cutting the block: its DataNodes may have done so already, and soon it is
     * another one. What a snapshot keeps is copied instead.
     */
    private boolean isBeingCut() {
      BlockInfo last = file.getLastBlock();
      BlockUnderConstructionFeature writing =
          last == null ? null : last.getUnderConstructionFeature();
      BlockInfo rest = writing == null ? null : writing.getTruncateBlock();
      return rest != null
          && rest.getBlockId() == block.getBlockId()
          && (block.equals(last) || file.getFileWithSnapshotFeature() == null);
    }

    /**
     * Whether the file was truncated before the block, so that only its snapshots hold the block.
     */
    public boolean isCutOff() {
      return file.getFileWithSnapshotFeature() != null && !Namespace.has(file.getBlocks(), block);
    }

    /**
     * Whether a snapshot has the file with replication 1. HDFS gives blocks that only snapshots
     * hold the snapshots' replication, after a restart or when another snapshot is deleted, even if
     * they had more.
     */
    public boolean isOneInSnapshots() {
      if (file.getFileWithSnapshotFeature() == null) {
        return false;
      }
      for (FileDiff diff : file.getFileWithSnapshotFeature().getDiffs()) {
        if (file.getSnapshotINode(diff.getSnapshotId()).getFileReplication() == 1) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * A member's block, if it is as recorded and belongs to a file. While HDFS truncates a block, it
   * still shows the old block; this method treats it as gone.
   */
  public static Optional<Held> held(NameNodeHost host, Member member) throws IOException {
    return owned(host, member).filter(held -> !held.isBeingCut());
  }

  /** A member's block, as {@link #held}, but also while HDFS truncates it. */
  public static Optional<Held> owned(NameNodeHost host, Member member) throws IOException {
    if (member.isVirtual()) {
      return Optional.empty();
    }
    Optional<BlockInfo> stored = ReplicaView.stored(host.blocks(), member.block().id());
    if (stored.isEmpty() || !ReplicaView.same(stored.get(), member.block())) {
      return Optional.empty();
    }
    INodeFile file = host.namesystem().getBlockCollection(stored.get().getBlockCollectionId());
    return file == null ? Optional.empty() : Optional.of(new Held(stored.get(), file));
  }

  /** The positions of a stripe's readable blocks, in a new list. */
  public static List<Integer> available(NameNodeHost host, Entry entry) throws IOException {
    List<Integer> available = new ArrayList<>();
    for (int i = 0; i < entry.stripe().members().size(); i++) {
      Member member = entry.stripe().member(i);
      Optional<Held> held = held(host, member);
      if (member.isVirtual()
          || (held.isPresent() && ReplicaView.readable(host, held.get().block()))) {
        available.add(i);
      }
    }
    return available;
  }

  /**
   * The blocks of a stripe from which another one can be rebuilt, if its only replica is lost.
   * Without them no surplus replica of that block may be dropped.
   */
  record Sources(Set<Integer> positions) {
    /**
     * Finds the blocks; empty when the readable blocks do not determine the block. Solves the
     * equations without the NameNode's lock.
     *
     * @param what purpose of the holds, which the NameNode reports
     */
    static Optional<Sources> of(NameNodeHost host, String what, Entry entry, int position)
        throws IOException {
      Stripe stripe = entry.stripe();
      List<Integer> others = host.reading(what, () -> available(host, entry));
      others.remove(Integer.valueOf(position));
      return stripe.isSupported()
              && Solver.solve(stripe.code(), List.of(position), others).isPresent()
          ? Optional.of(new Sources(Set.copyOf(others)))
          : Optional.empty();
    }

    /** Whether all these blocks are still readable. The lock is held. */
    boolean areThere(NameNodeHost host, Entry entry) throws IOException {
      return available(host, entry).containsAll(positions);
    }
  }

  /**
   * Whether data blocks of a stripe were deleted or changed since encoding, or are being truncated.
   */
  static boolean lostData(NameNodeHost host, Entry entry) throws IOException {
    if (!entry.stripe().isSupported()) {
      return false;
    }
    for (Member member : entry.stripe().members().subList(0, entry.stripe().code().k())) {
      if (!member.isVirtual() && held(host, member).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Looks up the stripes of consecutive blocks, such as those of a file: each stripe is looked up
   * once for a run of its blocks, and judged once. For one hold of the namesystem's lock, because
   * stripes change between two holds.
   */
  public static final class Judged<T> {
    /** The stripes in memory. */
    interface Stripes {
      /** The stripe of a block. */
      Optional<Entry> known(long block);

      /** Whether a stripe also holds another block. */
      boolean isOf(Entry entry, long block);
    }

    /** Judges stripes. */
    @FunctionalInterface
    public interface Judge<T> {
      /** Judges a stripe; the lock is held. */
      T of(Entry entry) throws IOException;
    }

    private final Stripes stripes;
    private final Judge<T> judge;
    private final Map<String, T> judged = new HashMap<>();
    private @Nullable Entry last;

    public Judged(StripeIndex index, Judge<T> judge) {
      this(
          new Stripes() {
            @Override
            public Optional<Entry> known(long block) {
              return index.known(block);
            }

            @Override
            public boolean isOf(Entry entry, long block) {
              return index.isOnlyIn(entry, block) && index.isIndexed(entry);
            }
          },
          judge);
    }

    Judged(Stripes stripes, Judge<T> judge) {
      this.stripes = stripes;
      this.judge = judge;
    }

    /** The stripe of a block. */
    public Optional<Entry> of(long block) {
      if (last != null && stripes.isOf(last, block)) {
        return Optional.of(last);
      }
      Optional<Entry> found = stripes.known(block);
      last = found.orElse(null);
      return found;
    }

    /** The member of its stripe that a block is now. */
    public Optional<Member> holding(BlockInfo block) {
      return of(block.getBlockId()).flatMap(entry -> entry.holding(block));
    }

    /** Whether a stripe has not been judged yet. */
    boolean isNew(Entry entry) {
      return !judged.containsKey(entry.id());
    }

    /** The judgement of a stripe. */
    T judge(Entry entry) throws IOException {
      T said = judged.get(entry.id());
      if (said == null) {
        said = judge.of(entry);
        judged.put(entry.id(), said);
      }
      return said;
    }
  }
}
