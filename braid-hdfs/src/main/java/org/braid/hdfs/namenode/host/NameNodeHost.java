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
 * The NameNode that a plugin runs in: its locks, its managers, and changes of the namespace that
 * Braid makes in the NameNode's own name.
 */
public final class NameNodeHost {
  /** Work under a lock or in another name. */
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

  /** From now on nodes are suspect, too, that have fallen silent. */
  public void watches(Silence heard) {
    silence = heard;
  }

  /** Whether a node's copies may not be relied on: it misses heartbeats, HDFS's or Braid's. */
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

  /** Whether a user may do anything: the owner, his group, or anybody where HDFS checks nobody. */
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
   * Has the groups of whoever calls looked up, before anything is looked at. HDFS asks for them in
   * each call before it takes its lock, and remembers them for a while: the first time may take
   * seconds, in which much changes.
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

  /** How many replicas blocks aim at. */
  public BlockAims aims() {
    return aims;
  }

  public DatanodeManager nodes() {
    return blocks().getDatanodeManager();
  }

  /** Calls of clients in this process; those that change something belong in {@link #asOwner}. */
  public NamenodeProtocols calls() {
    return nameNode.getRpcServer();
  }

  /**
   * What a call of HDFS with a path acts on; under a lock. For {@code /.reserved/.inodes/N} that is
   * what stands where N stood, also when only snapshots have N itself.
   */
  public @Nullable INode inode(String path) throws IOException {
    FSDirectory directory = namesystem().getFSDirectory();
    if (BraidPaths.inodeAt(path).isEmpty()) {
      return Namespace.at(directory, path);
    }
    INode numbered = numbered(path);
    return numbered == null ? null : Namespace.at(directory, numbered.getFullPathName());
  }

  /** What has the number of {@code /.reserved/.inodes/N}, wherever it is; under a lock. */
  public @Nullable INode numbered(String path) {
    OptionalLong number = BraidPaths.inodeAt(path);
    return number.isPresent() ? namesystem().getFSDirectory().getInode(number.getAsLong()) : null;
  }

  /** What is counted for monitoring systems. */
  public NameNodeMetrics metrics() {
    return metrics;
  }

  /**
   * Bytes of all files times their replication, which HDFS counts for the root's quota, whether or
   * not there is one. The lock is held.
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
   * Whether a DataNode is to be asked for a full block report now; if so, it is not to be asked
   * again for a while, unless this NameNode becomes active anew.
   */
  public boolean asksForReport(String uuid) {
    return reports.begin(uuid);
  }

  /** What DataNodes say that they moved. */
  public NodeTraffic traffic() {
    return traffic;
  }

  /** How long {@link #reading} and {@link #writing} held the lock. */
  public LockHolds holds() {
    return holds;
  }

  /**
   * Runs work under the namesystem's read lock, in Hadoop 3.5 that of files and blocks together: no
   * input or output, nothing long.
   */
  public <T> T reading(String what, Work<T> work) throws IOException {
    return reading(LockMode.GLOBAL, what, work);
  }

  /**
   * The same for work that looks at files alone: in Hadoop 3.5 under their lock. It may look at
   * what HDFS changes under that lock, which is all of {@link LockMode#FS}, and not at replicas.
   */
  public <T> T readingFiles(String what, Work<T> work) throws IOException {
    return reading(LockMode.FS, what, work);
  }

  /**
   * The same for work that looks at blocks alone: in Hadoop 3.5 under their lock, all of {@link
   * LockMode#BM}. It takes no other lock of the namesystem's and calls nothing that does. A block
   * that it finds may be deleted from its file meanwhile.
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
   * Runs work under the namesystem's write lock, in Hadoop 3.5 that of files and blocks together:
   * no input or output, nothing long. So nobody reads meanwhile, under whichever lock: what Braid
   * itself remembers is changed here.
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
   * Runs a change of the namespace under the write lock, if this NameNode may make one at that
   * moment: it is active and not in safe mode.
   */
  public <T> T changing(String what, Work<T> work) throws IOException {
    return writing(
        what,
        () -> {
          checkWritable(what);
          return work.run();
        });
  }

  /**
   * Runs a change of the namespace for each of many things, in as many short holds of the write
   * lock as that takes.
   */
  public <T> void changingEach(String what, Collection<T> things, ShortHold.Visitor<T> change)
      throws IOException {
    each(things, change, hold -> changing(what, hold));
  }

  /** Runs work for each of many things in the same way, under the read lock. */
  public <T> void readingEach(String what, Collection<T> things, ShortHold.Visitor<T> work)
      throws IOException {
    each(things, work, hold -> reading(what, hold));
  }

  /** The same for work that looks at files alone. */
  public <T> void readingEachFile(String what, Collection<T> things, ShortHold.Visitor<T> work)
      throws IOException {
    each(things, work, hold -> readingFiles(what, hold));
  }

  /** The same for work that looks at blocks alone. */
  public <T> void readingEachBlock(String what, Collection<T> things, ShortHold.Visitor<T> work)
      throws IOException {
    each(things, work, hold -> readingBlocks(what, hold));
  }

  /** Runs work for each of many things in the same way, whatever state this NameNode is in. */
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
   * Runs a change of the namespace as the NameNode itself. The present call is put aside, because
   * the retry cache would take a second change within one call for a repetition of the first.
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

  /** What this NameNode is in its pair, in HDFS's word; takes no lock. */
  public String state() {
    return nameNode.isActiveState()
        ? "active"
        : nameNode.isObserverState() ? "observer" : "standby";
  }

  /**
   * Tells times in office apart: another number whenever this NameNode has become active, or a
   * standby, known at the end of that; takes no lock.
   */
  public long term() {
    return nameNode.getLastHATransitionTime();
  }

  /** Whether this NameNode answers reads and follows the active one; takes no lock. */
  public boolean isObserver() {
    return nameNode.isObserverState();
  }

  /**
   * The replication that a converted file gets back: what it had, or fewer where HDFS allows fewer
   * by now.
   *
   * @param recorded what its stripe recorded; 0 for nothing, instead of which HDFS's default counts
   */
  public short original(int recorded) {
    int allowed = Math.min(recorded, blocks().maxReplication);
    return (short) (allowed > 0 ? allowed : blocks().defaultReplication);
  }

  /** Whether this NameNode is active, out of safe mode and knows what is over-replicated. */
  public boolean decides() {
    return nameNode.isActiveState()
        && !namesystem().isInSafeMode()
        && blocks().isPopulatingReplQueues();
  }

  /**
   * Refuses on a standby, with the exception that makes clients turn to the active one, and on an
   * observer, which knows neither who works on the cluster nor how old what it says is.
   */
  public void checkReadable() throws IOException {
    namesystem().checkOperation(OperationCategory.READ);
    if (!nameNode.isActiveState()) {
      throw new StandbyException(
          "Braid's calls are answered by the active NameNode; this one is " + nameNode.getState());
    }
  }

  /**
   * Waits while this NameNode becomes active or a standby: it is called active from the begin of
   * that on, and the time of the change is known at its end. HDFS holds both locks meanwhile.
   */
  public void awaitTransition() throws IOException {
    boolean unused = readingFiles("braidTransition", () -> true);
  }

  /** Refuses on a standby and in safe mode. */
  public void checkWritable(String what) throws IOException {
    namesystem().checkOperation(OperationCategory.WRITE);
    if (namesystem().isInSafeMode()) {
      throw new SafeModeException(
          "Cannot " + what + ": the NameNode is in safe mode. " + namesystem().getSafemode());
    }
  }

  /**
   * The blocks of which HDFS finds no good copy, each once: a short copy of its queue, made in
   * short holds of its lock.
   *
   * @param most blocks
   * @return empty when there are more, or when they change too often
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
