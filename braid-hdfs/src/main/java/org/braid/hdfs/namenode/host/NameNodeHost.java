package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.lock.LockMode;
import org.braid.hdfs.namenode.lock.NameNodeLock;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.time.PacedAsks;
import org.jspecify.annotations.Nullable;

/**
 * The NameNode that runs the plugin: its locks, its managers, and changes of the namespace that
 * Braid makes as the NameNode's user.
 */
public final class NameNodeHost {
  /** Work under a lock or as another user. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException;
  }

  private final NameNode nameNode;
  private final Configuration conf;
  private final UserGroupInformation owner;
  private final NameNodeLock lock;
  private final LockHolds holds = new LockHolds();
  private final NameNodeMetrics metrics = new NameNodeMetrics();
  private final NodeTraffic traffic = new NodeTraffic(Time::monotonicNow);
  private final BlockAims aims = new BlockAims(this);
  private final PacedAsks reports;
  private volatile @Nullable Silence silence;

  public NameNodeHost(NameNode nameNode, Configuration conf, UserGroupInformation owner) {
    this.nameNode = nameNode;
    this.conf = conf;
    this.owner = owner;
    this.lock = NameNodeLock.of(nameNode.getNamesystem());
    this.reports =
        new PacedAsks(
            Time::monotonicNow,
            nameNode::getLastHATransitionTime, // then all owe reports again
            3 * millis(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, "3s")
                + millis(DFSConfigKeys.DFS_BLOCKREPORT_INITIAL_DELAY_KEY, "0s"),
            TimeUnit.MINUTES.toMillis(10));
  }

  private long millis(String key, String usual) {
    return conf.getTimeDuration(key, usual, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
  }

  /** From now on, {@link #isSuspect} also reports the nodes that {@code heard} finds suspect. */
  public void watches(Silence heard) {
    silence = heard;
  }

  /**
   * Whether a node misses HDFS's or Braid's heartbeats, so that Braid does not rely on its
   * replicas.
   */
  public boolean isSuspect(DatanodeDescriptor node) {
    Silence heard = silence;
    return (heard != null && heard.isSuspect(node.getDatanodeUuid()))
        || ReplicaView.silence(node) > ReplicaView.suspectAfter(this);
  }

  public NameNode nameNode() {
    return nameNode;
  }

  public Configuration conf() {
    return conf;
  }

  /** The user that the NameNode runs as: HDFS's superuser. */
  public UserGroupInformation owner() {
    return owner;
  }

  /**
   * Whether a user is a superuser: the owner, a member of the superuser group, or any user if
   * permission checks are off.
   */
  public boolean isSuperuser(UserGroupInformation user) throws IOException {
    boolean checked =
        conf.getBoolean(
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT);
    String group =
        conf.get(
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
    return !checked
        || user.getShortUserName().equals(owner.getShortUserName())
        || user.getGroupsSet().contains(group);
  }

  /**
   * Looks up the groups of the present caller before any lock is taken. HDFS does so in each call
   * and caches the groups: the first look-up may take seconds, in which files may change.
   */
  public void lookUpCaller() throws IOException {
    Set<String> unused = NameNode.getRemoteUser().getGroupsSet();
  }

  public FSNamesystem namesystem() {
    return nameNode.getNamesystem();
  }

  public BlockManager blocks() {
    return namesystem().getBlockManager();
  }

  /** The number of replicas that each block aims at. */
  public BlockAims aims() {
    return aims;
  }

  public DatanodeManager nodes() {
    return blocks().getDatanodeManager();
  }

  /**
   * HDFS's client protocol, called within this process; call methods that change files in {@link
   * #asOwner}.
   */
  public NamenodeProtocols calls() {
    return nameNode.getRpcServer();
  }

  /**
   * The inode that an HDFS call with this path acts on; under a lock. For {@code
   * /.reserved/.inodes/N} this is the inode at the path of inode N, even when N itself exists only
   * in snapshots.
   */
  public @Nullable INode inode(String path) throws IOException {
    FSDirectory directory = namesystem().getFSDirectory();
    if (BraidPaths.inodeAt(path).isEmpty()) {
      return Namespace.at(directory, path);
    }
    INode numbered = numbered(path);
    return numbered == null ? null : Namespace.at(directory, numbered.getFullPathName());
  }

  /** The inode N of {@code /.reserved/.inodes/N}, wherever it is; under a lock. */
  public @Nullable INode numbered(String path) {
    OptionalLong number = BraidPaths.inodeAt(path);
    return number.isPresent() ? namesystem().getFSDirectory().getInode(number.getAsLong()) : null;
  }

  /** The counters for monitoring systems. */
  public NameNodeMetrics metrics() {
    return metrics;
  }

  /**
   * Sum of bytes times replication over all files, which HDFS counts for the root's quota even if
   * none is set. The lock is held.
   */
  public long storedBytes() {
    return namesystem()
        .getFSDirectory()
        .getRoot()
        .getDirectoryWithQuotaFeature()
        .getSpaceConsumed()
        .getStorageSpace();
  }

  /**
   * Whether to request a full block report from a DataNode now. After true, returns false for this
   * node for a while, unless this NameNode becomes active again.
   */
  public boolean asksForReport(String uuid) {
    return reports.begin(uuid);
  }

  /** The bytes that DataNodes report to have moved. */
  public NodeTraffic traffic() {
    return traffic;
  }

  /** How long {@link #reading} and {@link #writing} held the lock. */
  public LockHolds holds() {
    return holds;
  }

  /**
   * Runs work under the namesystem's read lock; in Hadoop 3.5 under the lock of files and the lock
   * of blocks. The work is short and does no input or output.
   */
  public <T> T reading(String what, Work<T> work) throws IOException {
    return reading(LockMode.GLOBAL, what, work);
  }

  /**
   * Runs work that reads files only; in Hadoop 3.5 under the lock of files. The work may read the
   * state of {@link LockMode#FS}, but not replicas.
   */
  public <T> T readingFiles(String what, Work<T> work) throws IOException {
    return reading(LockMode.FS, what, work);
  }

  /**
   * Runs work that reads blocks only; in Hadoop 3.5 under the lock of blocks, {@link LockMode#BM}.
   * The work takes no other lock of the namesystem, directly or through a call. A block that it
   * finds may be removed from its file meanwhile.
   */
  public <T> T readingBlocks(String what, Work<T> work) throws IOException {
    return reading(LockMode.BM, what, work);
  }

  private <T> T reading(LockMode mode, String what, Work<T> work) throws IOException {
    lock.begin(mode);
    LockHolds.Begun hold = holds.begin();
    try {
      return work.run();
    } finally {
      lock.end(mode, what);
      hold.end(what);
    }
  }

  /**
   * Runs work under the namesystem's write lock; in Hadoop 3.5 under the lock of files and the lock
   * of blocks. The work is short and does no input or output. It excludes all readers of either
   * lock, so Braid changes its own state in the NameNode here.
   */
  public <T> T writing(String what, Work<T> work) throws IOException {
    namesystem().writeLock();
    LockHolds.Begun hold = holds.begin();
    try {
      return work.run();
    } finally {
      namesystem().writeUnlock(what);
      hold.end(what);
    }
  }

  /**
   * Runs a change of the namespace under the write lock. Refuses it if this NameNode is not active
   * or is in safe mode.
   */
  public <T> T changing(String what, Work<T> work) throws IOException {
    return writing(
        what,
        () -> {
          checkWritable(what);
          return work.run();
        });
  }

  /** Runs a change of the namespace for each element, in several short holds of the write lock. */
  public <T> void changingEach(String what, Collection<T> things, ShortHold.Visitor<T> change)
      throws IOException {
    each(things, change, hold -> changing(what, hold));
  }

  /** Runs work for each element, in several short holds of the read lock. */
  public <T> void readingEach(String what, Collection<T> things, ShortHold.Visitor<T> work)
      throws IOException {
    each(things, work, hold -> reading(what, hold));
  }

  /**
   * Runs work that reads files only for each element, in several short holds of their read lock.
   */
  public <T> void readingEachFile(String what, Collection<T> things, ShortHold.Visitor<T> work)
      throws IOException {
    each(things, work, hold -> readingFiles(what, hold));
  }

  /**
   * Runs work that reads blocks only for each element, in several short holds of their read lock.
   */
  public <T> void readingEachBlock(String what, Collection<T> things, ShortHold.Visitor<T> work)
      throws IOException {
    each(things, work, hold -> readingBlocks(what, hold));
  }

  /**
   * Runs work for each element, in several short holds of the write lock, in any state of this
   * NameNode.
   */
  public <T> void writingEach(String what, Collection<T> things, ShortHold.Visitor<T> work)
      throws IOException {
    each(things, work, hold -> writing(what, hold));
  }

  /** One way to take the lock. */
  private interface Holding {
    boolean run(Work<Boolean> hold) throws IOException;
  }

  private static <T> void each(Collection<T> things, ShortHold.Visitor<T> work, Holding holding)
      throws IOException {
    Iterator<T> left = things.iterator();
    while (left.hasNext()) {
      boolean unused =
          holding.run(
              () -> {
                new ShortHold(System::nanoTime).visit(left, work);
                return true;
              });
    }
  }

  /**
   * Runs a change of the namespace as the NameNode's user. Hides the present call meanwhile: HDFS's
   * retry cache would take a second change within a call for a repetition of the first.
   */
  public <T> T asOwner(Work<T> change) throws IOException {
    Server.Call present = Server.getCurCall().get();
    Server.getCurCall().remove();
    try {
      return owner.doAs((PrivilegedExceptionAction<T>) change::run);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while changing the namespace", e);
    } finally {
      if (present != null) {
        Server.getCurCall().set(present);
      }
    }
  }

  /** The HA state of this NameNode in HDFS's word; takes no lock. */
  public String state() {
    return nameNode.isActiveState()
        ? "active"
        : nameNode.isObserverState() ? "observer" : "standby";
  }

  /**
   * Number of the present term of this NameNode: changes at the end of each transition to active or
   * standby; takes no lock.
   */
  public long term() {
    return nameNode.getLastHATransitionTime();
  }

  /** Whether this NameNode answers reads and follows the active one; takes no lock. */
  public boolean isObserver() {
    return nameNode.isObserverState();
  }

  /**
   * The replication that a converted file gets back: the recorded one, or HDFS's maximum if that is
   * lower by now.
   *
   * @param recorded replication in the stripe's record; 0 stands for HDFS's default
   */
  public short original(int recorded) {
    int allowed = Math.min(recorded, blocks().maxReplication);
    return (short) (allowed > 0 ? allowed : blocks().defaultReplication);
  }

  /**
   * Whether this NameNode is active, out of safe mode, and keeps its queues of under- and
   * over-replicated blocks.
   */
  public boolean decides() {
    return nameNode.isActiveState()
        && !namesystem().isInSafeMode()
        && blocks().isPopulatingReplQueues();
  }

  /**
   * Refuses a call on a standby, with the exception that makes clients fail over, and on an
   * observer, which knows neither the leases nor the age of its own state.
   */
  public void checkReadable() throws IOException {
    namesystem().checkOperation(OperationCategory.READ);
    if (!nameNode.isActiveState()) {
      throw new StandbyException(
          "Braid's calls are answered by the active NameNode; this one is " + nameNode.getState());
    }
  }

  /**
   * Waits for the end of a running transition to active or standby. The NameNode has its new state
   * from the beginning of the transition, but its {@link #term} changes at the end. HDFS holds both
   * locks meanwhile.
   */
  public void awaitTransition() throws IOException {
    boolean unused = readingFiles("braidTransition", () -> true);
  }

  /** Refuses a call on a standby and in safe mode. */
  public void checkWritable(String what) throws IOException {
    namesystem().checkOperation(OperationCategory.WRITE);
    if (namesystem().isInSafeMode()) {
      throw new SafeModeException(
          "Cannot " + what + ": the NameNode is in safe mode. " + namesystem().getSafemode());
    }
  }

  /**
   * The ids of the blocks without a good replica, without duplicates: copies HDFS's queue in short
   * holds of its lock.
   *
   * @param most maximum number of blocks
   * @return empty when the queue holds more blocks, or changes too often
   */
  public Optional<long[]> withoutCopies(int most) throws IOException {
    LongStream.Builder found = LongStream.builder();
    ResumedWalk<Object> walk = new ResumedWalk<>(new QueuedBlocks(blocks()), most);
    ResumedWalk.State state;
    do {
      state =
          readingBlocks(
              "braidUnreadable",
              () -> walk.step(link -> found.add(QueuedBlocks.block(link).getBlockId())));
    } while (state == ResumedWalk.State.MORE);
    return state == ResumedWalk.State.DONE
        ? Optional.of(eachOnce(found.build().sorted().toArray()))
        : Optional.empty();
  }

  private static long[] eachOnce(long[] sorted) {
    int count = 0;
    for (long each : sorted) {
      if (count == 0 || each != sorted[count - 1]) {
        sorted[count++] = each;
      }
    }
    return Arrays.copyOf(sorted, count);
  }
}
