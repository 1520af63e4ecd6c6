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
   * What a write to a file has to know.
   *
   * @param inode the file; 0 for none
   * @param raised whether its replication was raised for the write
   * @param encoded ids of its blocks with one replica and parity, in order
   * @param lastIsEncoded whether its last block is in a stripe, so that it must not be changed
   * @param refused whether nothing was done for a file that may have encoded blocks, because HDFS
   *     is about to refuse the write; it may permit it after all, as rights change
   */
  public record Prepared(
      long inode, boolean raised, List<Long> encoded, boolean lastIsEncoded, boolean refused) {
    private static final Prepared NOTHING = new Prepared(0, false, List.of(), false, false);

    /** Of a call of one whom HDFS is about to refuse it: it keeps nobody from anything. */
    static final Prepared REFUSED = NOTHING.asRefused();

    /** Whether a write that HDFS made to a file is one that was prepared. */
    boolean isFor(long file) {
      return inode == file && !refused;
    }

    private Prepared asRefused() {
      return new Prepared(inode, raised, encoded, lastIsEncoded, true);
    }
  }

  /** What HDFS asks of whoever makes a write to a file. */
  enum Right {
    /** To change the file. */
    WRITE {
      @Override
      void check(CallerRights caller, String path) throws IOException {
        caller.check(path, FsAction.WRITE);
      }
    },

    /** To join it to another one, as which it goes on. */
    JOIN {
      @Override
      void check(CallerRights caller, String path) throws IOException {
        caller.check(path, FsAction.READ);
        caller.checkMove(path);
      }
    };

    /** Refuses a caller as HDFS does; a lock is held. */
    abstract void check(CallerRights caller, String path) throws IOException;

    /** Whether HDFS has a caller make the write; a lock is held. */
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
   * Prepares a file for a write by the present caller. Whatever is wrong with the path or with the
   * caller's permission is left to HDFS, which says it better.
   */
  public Prepared prepare(String path) throws IOException {
    return prepare(path, Long.MAX_VALUE, Right.WRITE);
  }

  /** The same for a file that is to be joined to another one. */
  Prepared prepareSource(String path) throws IOException {
    return prepare(path, Long.MAX_VALUE, Right.JOIN);
  }

  /**
   * Prepares a file for being cut to a length. The encoded block that is cut, if there is one, is
   * to have all replicas again.
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
   * A call begins that writes to a file: before anything is looked at, as what is encoded nowhere
   * may be encoded before HDFS has the call's lock. Nobody keeps a file from being converted by
   * calls that HDFS refuses: should it permit one after all, that is a write to a file that was not
   * prepared.
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
   * The same of the present caller for a call that is refused if it is to a converted file, and
   * prepares nothing.
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
   * Prepares the file of a call that has begun. The right is looked at under the lock, as another
   * file may have taken the path since.
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

  /** What becomes of writes to files that were not prepared for them. */
  UnpreparedWrites others() {
    return others;
  }

  /** What becomes of encoded blocks whose replication users set. */
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

  /** Whether HDFS has the present caller make a write: to what a snapshot has, nobody. */
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

  /** Whether a write that HDFS has made was made to the file that was prepared. */
  @FunctionalInterface
  interface Made<T> {
    boolean asPrepared(T answer) throws IOException;
  }

  /**
   * Makes a write to a prepared file; when HDFS did not make it there, the file is as it was. The
   * call has ended then.
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

  /** The call that a file was prepared for has ended. */
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
   * The last block of a file that is open for appending, if it is complete and encoded: HDFS wants
   * it named before it adds another one, and when it is asked for that again.
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
   * Encoded blocks that a write has given more replicas aim at one again; not on a NameNode that
   * has become a standby since it made the write.
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

  /** After a write that HDFS refused, and that is done: the replication is 1 again. */
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
   * Whether the block of a file that HDFS will cut has at least so many copies.
   *
   * @param certain whether those do not count that no node has reported since a failover, as HDFS
   *     counts them; these nodes are asked to report
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
