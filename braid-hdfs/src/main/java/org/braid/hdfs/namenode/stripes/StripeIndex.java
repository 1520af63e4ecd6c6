package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.ParityFiles.Parity;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The published stripes by block. The namespace holds the descriptions; the index tells from memory
 * which parity file holds a block ({@link StripeTable}).
 *
 * <p>Code that publishes, describes and deletes stripes in this NameNode updates the index. Other
 * changes, such as those from the active NameNode's edit log on a standby, show in the times and
 * sizes of the parity directories; then only unknown files are read. An active NameNode counts its
 * own changes, and skips directories with the expected number of files. Every second one directory
 * is compared with the index file by file.
 *
 * <p>Look-ups take none of the NameNode's locks and may run under one; methods that read the
 * namespace may not.
 */
public final class StripeIndex implements ForeignFiles.Stripes {
  private static final Logger LOG = LoggerFactory.getLogger(StripeIndex.class);
  private static final long UNKNOWN_BLOCK_MILLIS = 1000;

  /** Looks for the sake of those who ask for unknown blocks take at most this part of the time. */
  private static final int UNKNOWN_BLOCK_SHARE = 10;

  /** Directories are compared one by one no more often, and in at most this part of the time. */
  private static final long COMPARISON_MILLIS = 1000;

  private static final int COMPARISON_SHARE = 20;

  /** Stripes decoded between two holds of the lock. */
  private static final int PAGE = 200;

  /** Nanoseconds of a hold of the lock for many stripes, but for the last one of them. */
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** A published stripe with the path and inode of its parity file. */
  public record Entry(Stripe stripe, String path, long inode) {
    String id() {
      return stripe.id();
    }

    /** The member whose block this is, in its present state. */
    Optional<Member> holding(BlockInfo block) {
      return stripe.members().stream()
          .filter(member -> !member.isVirtual())
          .filter(member -> ReplicaView.same(block, member.block()))
          .findFirst();
    }
  }

  /** Visits stripes, under the namesystem's read lock. */
  public interface Visitor {
    /** Returns whether the next stripe is to be visited, too. */
    boolean visit(Entry entry) throws IOException;
  }

  private final NameNodeHost host;
  private final ParityFiles files;
  private final StripeTable table;

  private final UnfinishedStripes unfinished;
  private final AtomicLong changes = new AtomicLong();

  private final ParityDirectories directories;
  private volatile long nextComparison;
  private volatile long looked;
  private volatile long tookMillis;
  private volatile boolean read;
  private volatile long transition = -1;

  public StripeIndex(NameNodeHost host) {
    this.host = host;
    this.unfinished = new UnfinishedStripes(host);
    this.files = new ParityFiles(host);
    this.table = new StripeTable(files);
    this.directories = new ParityDirectories(host, files, table, new Found());
  }

  /** The stripe of an id as the namespace has it now. */
  public synchronized Optional<Entry> published(String id) throws IOException {
    String path = BraidPaths.stripePath(id);
    Optional<Parity> parity = host.readingFiles("braidStripe", () -> files.at(path));
    Optional<Entry> found = parity.flatMap(files::entry);
    if (found.isPresent()) {
      put(parity.get(), found.get());
    }
    return found;
  }

  private void put(Parity parity, Entry entry) {
    if (!table.has(parity)) {
      table.put(parity, entry.stripe());
      unfinished.renew(entry.stripe());
      changes.incrementAndGet();
    }
    unfinished.unstage(entry.id());
  }

  /** As {@link #published}, for callers that hold the NameNode's lock; indexes nothing. */
  Optional<Entry> publishedUnderLock(String id) throws IOException {
    return files.at(BraidPaths.stripePath(id)).flatMap(files::entry);
  }

  /** The stripe of a block. */
  public Optional<Entry> known(long blockId) {
    return table.of(blockId);
  }

  /** The number of a block's stripe, negative for none; reused after the stripe is gone. */
  public int number(long blockId) {
    return table.number(blockId);
  }

  /** The parity file of the stripe that has a number now, or 0. */
  public long fileOf(int number) {
    return table.fileOf(number);
  }

  /** The stripe of a parity file. */
  public Optional<Entry> ofFile(long inode) {
    return table.ofFile(inode);
  }

  /** Whether a stripe that was just found is indexed with its present blocks. */
  public boolean isIndexed(Entry entry) {
    return table.isIndexed(entry);
  }

  /** Whether a block is in an indexed stripe and in no other, so that it need not be looked up. */
  public boolean isOnlyIn(Entry entry, long blockId) {
    return table.isOnlyIn(entry, blockId);
  }

  /** All stripes of a block, earlier ones, too, on which other blocks may rely. */
  public List<Entry> all(long blockId) {
    return table.all(blockId);
  }

  /** The member of a published stripe whose block this is, in its present state. */
  public Optional<Member> holding(BlockInfo block) {
    return known(block.getBlockId()).flatMap(entry -> entry.holding(block));
  }

  /** Whether a member is in no later stripe. An unknown block is in none. */
  public boolean holds(Entry entry, Member member) {
    return known(member.block().id())
        .filter(at -> at.inode() > entry.inode())
        .filter(
            at ->
                at.stripe.members().stream()
                    .anyMatch(other -> !other.isVirtual() && other.block().equals(member.block())))
        .isEmpty();
  }

  StripeTable table() {
    return table;
  }

  ParityFiles files() {
    return files;
  }

  public int size() {
    return table.size();
  }

  /** Counts of stripes by the name of their code. */
  public StripeTotals totals() {
    return table.totals();
  }

  /** The number of stripes whose parity file is at a path or below it, readable or not. */
  public int countBelow(String path) throws IOException {
    Optional<String> id = BraidPaths.stripeAt(path);
    if (id.isPresent() && published(id.get()).isPresent()) {
      return 1;
    }
    int known = BraidPaths.isBelow(BraidPaths.STRIPES, path) ? size() : table.count(path);
    return known + files.countHidden(path, inode -> id.isEmpty() && table.knows(inode));
  }

  /**
   * Visits the stripes behind an id, by id, as the namespace has them. The namesystem's lock is
   * given back every few milliseconds.
   *
   * @param what for, as the NameNode is to report it
   * @param after an id, or empty
   */
  public void visit(String what, String after, Visitor visitor) throws IOException {
    String last = after;
    while (true) {
      String from = last;
      List<Parity> page = host.readingFiles("braidStripes", () -> files.after(from, PAGE));
      if (page.isEmpty()) {
        return;
      }
      last = page.get(page.size() - 1).file().getLocalName();
      List<Entry> entries = new ArrayList<>();
      for (Parity parity : page) {
        files.entry(parity).ifPresent(entries::add);
        mend(parity);
      }
      if (!visit(what, entries, visitor)) {
        return;
      }
    }
  }

  /** Visits these stripes, as above; returns whether the visitor wants more. */
  public boolean visit(String what, List<Entry> entries, Visitor visitor) throws IOException {
    int next = 0;
    while (next >= 0 && next < entries.size()) {
      int begin = next;
      next = host.reading(what, () -> visit(entries, begin, visitor));
    }
    return next >= 0;
  }

  /** Visits some stripes; returns the position of the next one, or -1 when there is to be none. */
  private static int visit(List<Entry> entries, int begin, Visitor visitor) throws IOException {
    long end = System.nanoTime() + HOLD_NANOS;
    int at = begin;
    do {
      if (!visitor.visit(entries.get(at++))) {
        return -1;
      }
    } while (at < entries.size() && System.nanoTime() < end);
    return at;
  }

  /** Indexes a stripe whose file or description is not known, whoever wrote it. */
  private void mend(Parity parity) {
    if (!table.has(parity)) {
      synchronized (this) {
        files.entry(Parity.of(parity.file())).ifPresent(e -> put(Parity.of(parity.file()), e));
      }
    }
  }

  /** The stripes of blocks, by block; looks for new ones when a block is not known. */
  public Map<Long, Entry> of(List<Long> blockIds) throws IOException {
    ensure();
    Map<Long, Entry> found = lookUp(blockIds);
    if (!found.keySet().containsAll(blockIds) && isLookDue()) {
      synchronized (this) {
        if (isLookDue()) { // those who waited for another one's look do not look again
          look();
        }
      }
      return lookUp(blockIds);
    }
    return found;
  }

  private Map<Long, Entry> lookUp(List<Long> blockIds) throws IOException {
    Map<Long, Entry> found = new LinkedHashMap<>();
    Optional<Entry> last = Optional.empty();
    for (long id : blockIds) {
      boolean same = last.isPresent() && isOnlyIn(last.get(), id);
      Optional<Entry> entry = same ? last : known(id);
      String announced = entry.isPresent() ? null : unfinished.stagedWith(id);
      if (announced != null) {
        published(announced);
        entry = known(id);
      }
      entry.ifPresent(stripe -> found.put(id, stripe));
      last = same ? last : entry.filter(this::isIndexed);
    }
    return found;
  }

  /** Whether those who ask for blocks that are not known may have it looked for new stripes. */
  private boolean isLookDue() {
    return Time.monotonicNow() - looked
        >= Math.max(UNKNOWN_BLOCK_MILLIS, UNKNOWN_BLOCK_SHARE * tookMillis);
  }

  /** Indexes a stripe that was just written to its parity file. */
  public synchronized void described(String path, Stripe stripe) throws IOException {
    boolean staged = !path.equals(BraidPaths.stripePath(stripe.id()));
    if (staged) {
      unfinished.stage(path, stripe); // first: what is awaited and not staged is there, or gone
      changes.incrementAndGet();
    }
    unfinished.await(stripe);
    if (!staged && published(stripe.id()).isEmpty()) {
      unfinished.trimmed(stripe.id()); // deleted since
    }
  }

  /**
   * Takes notice of a file that was renamed: into the directory of stripes, it publishes one. Where
   * a whole directory came there, all stripes are to be read.
   */
  public synchronized void renamed(String path) throws IOException {
    if (BraidPaths.stripeAt(path).isPresent()) {
      published(BraidPaths.stripeAt(path).get());
    } else if (path.equals(BraidPaths.ROOT) || path.startsWith(BraidPaths.STRIPES)) {
      directories.forget();
      read = false;
    }
  }

  /**
   * Forgets the stripes whose publication has failed, which are neither staged nor published any
   * more, and stripes for which no trim is expected any more.
   *
   * @return the blocks of the stripes whose publication has failed
   */
  Set<Long> forgetFailed() throws IOException {
    List<UnfinishedStripes.Awaited> over = unfinished.over();
    Set<Long> blocks = new HashSet<>();
    synchronized (this) {
      for (UnfinishedStripes.Staged staged : unfinished.staged().values()) {
        String id = staged.stripe().id();
        if (unfinished.isGone(staged) && published(id).isEmpty()) {
          unfinished.unstage(id);
          unfinished.trimmed(id);
          blocks.addAll(staged.stripe().blockIds());
        }
      }
      unfinished.forget(over);
    }
    return blocks;
  }

  /** Whether the stripe of a block is described in the staging directory only. */
  boolean isStaged(long blockId) {
    return stagedWith(blockId) != null;
  }

  /** The id of the new stripe of a block that is about to be published. */
  @Nullable String stagedWith(long blockId) {
    return unfinished.stagedWith(blockId);
  }

  @Override
  public boolean concerns(long blockId) {
    return isStaged(blockId) || table.holds(blockId) || hasUnknownBlocks();
  }

  /** Whether there is parity without a description, whose blocks are unknown. */
  public boolean hasUnknownBlocks() {
    return files.hideStripes(inode -> !table.knows(inode));
  }

  /** The parity files with an unreadable description, with the reasons. */
  public StripeTotals.Hidden hidden() throws IOException {
    for (Parity parity : files.changed()) {
      files.entry(parity).ifPresent(unused -> mend(parity));
    }
    return files.hidden();
  }

  @Override
  public long changes() {
    return changes.get() + files.rejections();
  }

  /** Notes that a stripe has no surplus replicas any more. */
  public synchronized void trimmed(String id) {
    unfinished.trimmed(id);
  }

  /** Awaits the homes of a trimmed stripe again if its blocks aim at several replicas again. */
  public synchronized void awaitAgain(String id) throws IOException {
    unfinished.awaitReplicated(published(id).stream().toList());
  }

  /** The home of a block whose stripe is described but not trimmed. */
  public Optional<String> awaitedAt(long block) {
    return unfinished.awaitedAt(block);
  }

  /**
   * A file's blocks whose stripes are described but not trimmed, by the UUID of their home: while
   * such a block has several replicas the one at home is to stay. The namesystem's lock is held.
   */
  public Map<String, List<Long>> awaitedOf(INodeFile file) {
    return unfinished.awaitedOf(ForeignFiles.Blocks.of(file), ForeignFiles.all(file));
  }

  /** Forgets a stripe whose parity file was deleted. */
  synchronized void deleted(Entry entry) {
    table.remove(entry.inode());
    unfinished.trimmed(entry.id());
  }

  /**
   * Looks at all parity files at first use, and after a failover at those of directories that have
   * changed since this NameNode followed the other one last.
   */
  public void ensure() throws IOException {
    if (isRead()) {
      return;
    }
    synchronized (this) {
      if (!isRead()) {
        long before = host.term();
        long start = Time.monotonicNow();
        look();
        for (String id : unfinished.awaitedIds()) {
          published(id); // homes may have been named since, which changes no directory
        }
        unfinished.forgetTrimmed();
        transition = before;
        read = true;
        LOG.info("{} stripes are known after {} ms", size(), Time.monotonicNow() - start);
      }
    }
  }

  /** Whether the index was read since this NameNode's last HA transition. */
  @Override
  public boolean isRead() {
    return transition == host.term() && read;
  }

  /** Finds stripes that others have published or deleted. */
  public void catchUp() throws IOException {
    ensure();
    synchronized (this) {
      look();
    }
  }

  /** Catches up; a standby also forgets the conversions that ended on the active NameNode. */
  public void follow() throws IOException {
    catchUp();
    synchronized (this) {
      if (!host.nameNode().isActiveState()) {
        unfinished.forgetTrimmed();
      }
    }
  }

  /** Reads what is new in directories that have changed. */
  private void look() throws IOException {
    long begun = Time.monotonicNow();
    // What an edit log changes nobody tells; on an active NameNode it is this index's own calls.
    directories.compareChanged(() -> host.nameNode().isActiveState() && isRead());
    looked = Math.max(1, Time.monotonicNow());
    tookMillis = looked - begun;
  }

  /**
   * Compares another directory with the index, as long as that takes a small part of the time:
   * files that came and went unnoticed, in equal numbers, or descriptions that were set by hand.
   */
  public void compareNext() throws IOException {
    long begun = Time.monotonicNow();
    if (begun < nextComparison) {
      return;
    }
    synchronized (this) {
      directories.compareNext();
    }
    long took = Time.monotonicNow() - begun;
    nextComparison = begun + Math.max(COMPARISON_MILLIS, COMPARISON_SHARE * took);
  }

  /** What is found in the directories of parity files. */
  private final class Found implements ParityDirectories.Stripes {
    @Override
    public void found(Parity parity, Entry entry) {
      put(parity, entry);
    }

    @Override
    public void hidden() {
      changes.incrementAndGet();
    }

    @Override
    public void found(List<Entry> page) throws IOException {
      unfinished.awaitReplicated(page);
    }
  }
}
