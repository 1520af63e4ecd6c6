package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.namenode.host.CallerRights;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.KnownCopies;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.NameNodeMetrics.Count;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.Persister;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeReader.Judged;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.hdfs.namenode.writes.LastBlock;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.stripe.Member;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes writes to converted files as safe as writes to replicated ones. Before HDFS acts, the file
 * gets its original replication back, so that new blocks have all their replicas from the first
 * byte on; its encoded blocks keep their one replica and their parity. Conversion encodes the new
 * blocks later.
 */
public final class ConvertedWrites {
  private static final Logger LOG = LoggerFactory.getLogger(ConvertedWrites.class);
  private static final short ONE = 1;

  private final NameNodeHost host;
  private final StripeIndex index;
  private final OpenWrites open;
  private final Trimmer trimmer;
  private final Persister persister;
  private final UnpreparedWrites others;
  private final UserReplication replication;

  /**
   * Writes to the files of a NameNode.
   *
   * @param thinned gets stripes that writes left some data blocks of
   */
  public ConvertedWrites(
      NameNodeHost host, StripeIndex index, OpenWrites open, Consumer<Set<String>> thinned) {
    this.open = open;
    this.host = host;
    this.index = index;
    this.trimmer = new Trimmer(host, index, open);
    this.persister = new Persister(host, index, open);
    this.others = new UnpreparedWrites(host, index, trimmer, thinned);
    this.replication = new UserReplication(host, index);
  }

  /**
   * The preparation of a file for a write.
   *
   * @param inode the file; 0 for none
   * @param raised whether the file's replication was raised for the write
   * @param encoded ids of the file's blocks with one replica and parity, in order
   * @param lastIsEncoded whether the file's last block is in a stripe, so that it must not change
   * @param refused whether a file with possibly encoded blocks was not prepared, because HDFS will
   *     refuse the write; HDFS may still permit it, if permissions change meanwhile
   */
  public record Prepared(
      long inode, boolean raised, List<Long> encoded, boolean lastIsEncoded, boolean refused) {
    private static final Prepared NOTHING = new Prepared(0, false, List.of(), false, false);

    /** The preparation of a call that HDFS will refuse: it blocks no conversion. */
    static final Prepared REFUSED = NOTHING.asRefused();

    /** Whether a file is the one that was prepared. */
    boolean isFor(long file) {
      return inode == file && !refused;
    }

    private Prepared asRefused() {
      return new Prepared(inode, raised, encoded, lastIsEncoded, true);
    }
  }

  /** The permission that HDFS demands for a write to a file. */
  enum Right {
    /** To change the file. */
    WRITE {
      @Override
      void check(CallerRights caller, String path) throws IOException {
        caller.check(path, FsAction.WRITE);
      }
    },

    /** To concatenate the file to another file. */
    JOIN {
      @Override
      void check(CallerRights caller, String path) throws IOException {
        caller.check(path, FsAction.READ);
        caller.checkMove(path);
      }
    };

    /** Refuses a caller as HDFS does; a lock is held. */
    abstract void check(CallerRights caller, String path) throws IOException;

    /** Whether HDFS permits the caller the write; a lock is held. */
    boolean isOf(CallerRights caller, String path) {
      try {
        check(caller, path);
        return true;
      } catch (IOException | RuntimeException e) {
        LOG.debug("{} is left to HDFS: {}", path, e.getMessage());
        return false;
      }
    }
  }

  /**
   * Prepares a file for a write by the present caller. Ignores a wrong path or a missing
   * permission, which HDFS itself reports.
   */
  public Prepared prepare(String path) throws IOException {
    return prepare(path, Long.MAX_VALUE, Right.WRITE);
  }

  /** Prepares a file that will be concatenated to another one. */
  Prepared prepareSource(String path) throws IOException {
    return prepare(path, Long.MAX_VALUE, Right.JOIN);
  }

  /**
   * Prepares a file for a truncation to a length. Asks for all replicas of the encoded block that
   * is cut, if there is one.
   */
  public Prepared prepare(String path, long length) throws IOException {
    return prepare(path, length, Right.WRITE);
  }

  private Prepared prepare(String path, long length, Right right) throws IOException {
    host.lookUpCaller();
    Prepared begun = begin(path, right);
    boolean ready = false;
    try {
      Prepared prepared = prepare(path, length, right, begun);
      ready = true;
      return prepared;
    } finally {
      if (!ready) {
        done(begun);
      }
    }
  }

  /**
   * Begins a call that writes to a file. Comes before any check of the file's blocks, because a
   * block that is not encoded yet may be encoded before HDFS takes the lock. A call that HDFS will
   * refuse does not block conversion. If HDFS permits it after all, it counts as a write to an
   * unprepared file.
   */
  Prepared begin(String path, Right right) throws IOException {
    if (!host.nameNode().isActiveState()) {
      return Prepared.NOTHING;
    }
    CallerRights caller = CallerRights.of(host);
    return host.readingFiles(
        "braidWrite",
        () -> {
          INode found = host.inode(path);
          if (found == null || !found.isFile()) {
            return Prepared.NOTHING;
          }
          return right.isOf(caller, path) ? begun(found.getId()) : Prepared.REFUSED;
        });
  }

  /**
   * Begins a call of the present caller that is refused for converted files and prepares nothing.
   */
  Prepared beginUnprepared(String path, Right right) throws IOException {
    Prepared begun = begin(path, right);
    return begun.inode() != 0 && concerns(path) ? begun.asRefused() : begun;
  }

  private Prepared begun(long inode) {
    open.begin(inode);
    return new Prepared(inode, false, List.of(), false, false);
  }

  /**
   * Prepares the file of a call that has begun. Checks the permission under the lock, because
   * another file may have the path by now.
   */
  Prepared prepare(String path, long length, Right right, Prepared begun) throws IOException {
    if (begun.inode() == 0 || !concerns(path)) {
      return begun;
    }
    // HDFS would look at the safe mode later, when it may have ended.
    HadoopInternals.checkSafeMode(host.namesystem(), "Cannot write to " + path);
    index.ensure();
    if (!concerns(path)) {
      return begun;
    }
    CallerRights caller = CallerRights.of(host);
    NameNodeHost.Work<Prepared> work = () -> prepareUnderLock(path, length, right, begun, caller);
    return host.asOwner(
        () -> {
          Prepared prepared = host.changing("braidWrite", work);
          boolean synced = false;
          try {
            host.namesystem().getEditLog().logSync();
            synced = true;
            return prepared;
          } finally {
            if (prepared.inode() != begun.inode()) {
              open.end(synced ? begun.inode() : prepared.inode());
            }
          }
        });
  }

  /** Handles writes to files that were not prepared. */
  UnpreparedWrites others() {
    return others;
  }

  /** Handles encoded blocks of files whose replication users set. */
  UserReplication replication() {
    return replication;
  }

  /** Whether a file may have encoded blocks. */
  boolean concerns(String path) throws IOException {
    return host.reading(
        "braidWrite",
        () -> {
          INodeFile file = unwritten(path);
          if (file == null) {
            return false;
          }
          for (BlockInfo block : file.getBlocks()) {
            if (!index.isRead() || mayBeEncoded(file, index.holding(block))) {
              return true;
            }
          }
          return false;
        });
  }

  /**
   * Whether a block is in a stripe, or may be in one of which the description cannot be read: then
   * it is not to be changed either.
   */
  private boolean mayBeEncoded(INodeFile file, Optional<Member> member) {
    return member.isPresent() || (file.getFileReplication() == ONE && index.hasUnknownBlocks());
  }

  /**
   * The replication that a block had before conversion; where its stripe's description does not
   * tell it here, the one that files usually have.
   */
  private short original(Optional<Member> member) {
    return host.original(member.map(Member::replication).orElse(0));
  }

  /** Whether HDFS permits the present caller a write; never for a file in a snapshot. */
  boolean permits(String path, Right right) throws IOException {
    CallerRights caller = CallerRights.of(host);
    return host.readingFiles("braidWrite", () -> right.isOf(caller, path));
  }

  private Prepared prepareUnderLock(
      String path, long length, Right right, Prepared begun, CallerRights caller)
      throws IOException {
    INodeFile file = unwritten(path);
    if (file == null) {
      return begun;
    }
    try {
      right.check(caller, path);
    } catch (AccessControlException e) { // another file took the path
      LOG.debug("{} is left to HDFS: {}", path, e.getMessage());
      return begun.asRefused();
    }
    short original = file.getFileReplication();
    List<Long> encoded = new ArrayList<>();
    Optional<BlockInfo> cut = Optional.empty();
    boolean lastIsEncoded = false;
    long start = 0;
    Judged<Boolean> stripes = new Judged<>(index, entry -> true);
    for (BlockInfo block : file.getBlocks()) {
      Optional<Member> member = stripes.holding(block);
      lastIsEncoded = mayBeEncoded(file, member);
      if (lastIsEncoded) {
        original = (short) Math.max(original, original(member));
        if (start < length && length < start + block.getNumBytes()) {
          cut = Optional.of(block);
        } else if (host.aims().of(block) == ONE) {
          encoded.add(block.getBlockId());
        }
      }
      start += block.getNumBytes();
    }
    if (length < Long.MAX_VALUE && cut.isEmpty() && encodedBefore(file, length)) {
      return begun; // whole blocks go, and those that stay tell of the replication
    }
    boolean raised = file.getFileReplication() < original;
    if (raised) {
      HadoopInternals.setReplication(host.namesystem(), file.getId(), original);
      LOG.info(
          "{} has replication {} again, because it is written to; {} of its blocks stay encoded",
          path,
          original,
          encoded.size());
      // Within the same hold: what a user wants of these blocks afterwards is not to be undone.
      trimmer.lower(encoded);
    }
    if (cut.isPresent() && host.aims().of(cut.get()) < original) {
      // The file has its replication still, but the block was trimmed.
      host.aims().set(cut.get(), original);
    }
    if (file.getId() != begun.inode()) { // another file took the path
      open.begin(file.getId());
    }
    host.metrics().count(Count.WRITES_PREPARED);
    return new Prepared(file.getId(), raised, encoded, lastIsEncoded, false);
  }

  private boolean encodedBefore(INodeFile file, long length) {
    long start = 0;
    for (BlockInfo block : file.getBlocks()) {
      if (start < length && index.holding(block).isPresent()) {
        return true;
      }
      start += block.getNumBytes();
    }
    return false;
  }

  /** Tells whether HDFS made a write to the prepared file. */
  @FunctionalInterface
  interface Made<T> {
    boolean asPrepared(T answer) throws IOException;
  }

  /**
   * Makes a write to a prepared file, and ends the call. If HDFS did not write to that file, undoes
   * the preparation.
   */
  <T> T made(Prepared prepared, LateAnswer.Stock<T> stock, Made<T> made) throws ServiceException {
    boolean asPrepared = false;
    try {
      T answer = stock.call();
      asPrepared = made.asPrepared(answer);
      return answer;
    } catch (IOException e) {
      throw new ServiceException(e);
    } finally {
      done(prepared);
      if (!asPrepared) {
        undo(prepared);
      }
    }
  }

  /** Ends the call that a file was prepared for. */
  void done(Prepared prepared) {
    if (prepared.inode() != 0) {
      open.end(prepared.inode());
    }
  }

  /**
   * A file that HDFS stores as replicas and of which nobody writes a block; null where there is
   * none. It may be open: HDFS closes one that its writer left alone, and goes on with the call.
   */
  private @Nullable INodeFile unwritten(String path) throws IOException {
    INode inode = host.inode(path);
    if (inode == null || !inode.isFile() || inode.asFile().isStriped()) {
      return null;
    }
    INodeFile file = inode.asFile();
    BlockInfo last = file.getLastBlock();
    return file.isUnderConstruction() && (last == null || !last.isComplete()) ? null : file;
  }

  /**
   * The last block of a file that is open for appending, if it is complete and encoded. HDFS
   * requires its name when a client adds the next block, or repeats that call.
   */
  Optional<ExtendedBlock> encodedLast(long inode) {
    try {
      boolean begun =
          host.readingFiles(
              "braidWrite",
              () -> {
                INode found = host.namesystem().getFSDirectory().getInode(inode);
                return found != null && found.isFile() && found.asFile().numBlocks() > 0;
              });
      if (!begun) {
        return Optional.empty();
      }
      index.ensure();
      return host.reading(
          "braidWrite",
          () -> {
            INode found = host.namesystem().getFSDirectory().getInode(inode);
            BlockInfo last =
                found != null && found.isFile() ? LastBlock.of(found.asFile().getBlocks()) : null;
            return last == null || (index.holding(last).isEmpty() && !index.hasUnknownBlocks())
                ? Optional.empty()
                : Optional.of(new ExtendedBlock(host.namesystem().getBlockPoolId(), last));
          });
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Sets the aim of encoded blocks that a write raised back to one replica. Does nothing on a
   * NameNode that has become a standby since the write.
   */
  public void keepEncoded(List<Long> blocks) throws IOException {
    if (!blocks.isEmpty()) {
      host.writing(
          "braidWrite",
          () -> {
            if (host.nameNode().isActiveState()) {
              trimmer.lower(blocks);
            }
            return true;
          });
    }
  }

  /** Sets the replication back to 1 after a write that HDFS refused and that has ended. */
  public void undo(Prepared prepared) {
    if (!prepared.raised() || !host.nameNode().isActiveState()) {
      return;
    }
    try {
      persister.persist(prepared.inode(), () -> {});
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "inode {} keeps its replication after a refused write: {}",
          prepared.inode(),
          e.getMessage());
    }
  }

  /**
   * Whether the encoded block that a truncation will cut has at least {@code copies} replicas; true
   * when it cuts none.
   *
   * @param certain whether to count only replicas that were reported since the last failover, while
   *     HDFS counts all; nodes that owe a report are asked for it if all would be enough
   */
  public boolean hasCopies(String path, long length, int copies, boolean certain)
      throws IOException {
    Optional<KnownCopies> cut = host.reading("braidWrite", () -> copiesOfCut(path, length));
    if (cut.isEmpty() || cut.get().certain() >= copies) {
      return true;
    }
    boolean enough = cut.get().readable() >= copies;
    if (certain && enough) {
      Trimmer.askForReports(host, cut.get().owing(), "truncating " + path);
    }
    return enough && !certain;
  }

  /** The copies of an encoded block that will be cut. */
  private Optional<KnownCopies> copiesOfCut(String path, long length) throws IOException {
    INodeFile file = unwritten(path);
    long start = 0;
    for (BlockInfo block : file == null ? new BlockInfo[0] : file.getBlocks()) {
      long end = start + block.getNumBytes();
      if (start < length && length < end) {
        return index.holding(block).isPresent() || index.hasUnknownBlocks()
            ? Optional.of(KnownCopies.of(host, block, ReplicaView::good))
            : Optional.empty();
      }
      start = end;
    }
    return Optional.empty();
  }
}
