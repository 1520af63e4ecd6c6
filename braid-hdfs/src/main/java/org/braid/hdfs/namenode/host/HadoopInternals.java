package org.braid.hdfs.namenode.host;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSEditLog;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.FSPermissionChecker;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.util.LightWeightHashSet;
import org.apache.hadoop.hdfs.util.LightWeightLinkedSet;
import org.apache.hadoop.ipc.ClientId;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetryCache;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.rpc.BraidPaths;
import org.jspecify.annotations.Nullable;

/**
 * Access to the members of the NameNode that Braid uses and that are not public, and a check at
 * start that this Hadoop has all private HDFS members that Braid uses.
 */
public final class HadoopInternals {
  private static final MethodHandle BLOCKS_OF_STORAGE =
      hidden(DatanodeStorageInfo.class.getName(), "getBlockIterator");
  private static final MethodHandle BLOCKS_FROM =
      hiddenConstructor(
          DatanodeStorageInfo.class.getName() + "$BlockIterator",
          DatanodeStorageInfo.class,
          BlockInfo.class);
  private static final MethodHandle STATE_OF_STORAGE =
      hidden(DatanodeStorageInfo.class.getName(), "getState");
  private static final MethodHandle PERMISSION_CHECKER =
      hidden(FSDirectory.class.getName(), "getPermissionChecker");
  private static final MethodHandle CHECK_PERMISSION =
      hidden(
          FSDirectory.class.getName(),
          "checkPermission",
          FSPermissionChecker.class,
          INodesInPath.class,
          boolean.class,
          FsAction.class,
          FsAction.class,
          FsAction.class,
          FsAction.class,
          boolean.class);
  private static final MethodHandle CHECK_UNREADABLE =
      hidden(
          FSDirectory.class.getName(),
          "checkUnreadableBySuperuser",
          FSPermissionChecker.class,
          INodesInPath.class);
  private static final MethodHandle SET_REPLICATION =
      hidden(
          "org.apache.hadoop.hdfs.server.namenode.FSDirAttrOp",
          "setReplication",
          FSDirectory.class,
          FSPermissionChecker.class,
          BlockManager.class,
          String.class,
          short.class);

  private static final MethodHandle SERVICE_SERVER =
      hidden(NameNodeRpcServer.class.getName(), "getServiceRpcServer");
  private static final MethodHandle SYNC_EDITS = hidden(FSEditLog.class.getName(), "logSyncAll");
  private static final MethodHandle IS_OPEN = hidden(Server.Call.class.getName(), "isOpen");
  private static final MethodHandle CHECK_SAFE_MODE =
      hidden(FSNamesystem.class.getName(), "checkNameNodeSafeMode", String.class);
  private static final MethodHandle DELETE =
      hidden(
          "org.apache.hadoop.hdfs.server.namenode.FSDirDeleteOp",
          "deleteInternal",
          FSNamesystem.class,
          INodesInPath.class,
          boolean.class);
  private static final Field RECONSTRUCTION =
      hiddenField(BlockManager.class, "neededReconstruction");
  private static final Field RECONSTRUCTION_QUEUES =
      hiddenField(
          "org.apache.hadoop.hdfs.server.blockmanagement.LowRedundancyBlocks", "priorityQueues");
  private static final Field UNREADABLE_QUEUE =
      hiddenField(
          "org.apache.hadoop.hdfs.server.blockmanagement.LowRedundancyBlocks",
          "QUEUE_WITH_CORRUPT_BLOCKS");
  private static final Field FIRST_LINK = hiddenField(LightWeightLinkedSet.class, "head");
  private static final Field LINK_BEFORE =
      hiddenField(LightWeightLinkedSet.class.getName() + "$DoubleLinkedElement", "before");
  private static final Field LINK_AFTER =
      hiddenField(LightWeightLinkedSet.class.getName() + "$DoubleLinkedElement", "after");
  private static final Field LINKED =
      hiddenField(LightWeightHashSet.class.getName() + "$LinkedElement", "element");
  private static final Field NAMESYSTEM = hiddenField(BlockManager.class, "namesystem");
  private static final Field SCRUB_INTERVAL =
      hiddenField(FSNamesystem.class, "lazyPersistFileScrubIntervalSec");
  private static final Field SCRUBBER = hiddenField(FSNamesystem.class, "lazyPersistFileScrubber");
  private static final MethodHandle STOP_SCRUBBER =
      hidden(FSNamesystem.class.getName() + "$LazyPersistFileScrubber", "stop");

  private static final MethodHandle REMEMBERED =
      hiddenConstructor(RetryCache.CacheEntry.class.getName(), byte[].class, int.class, long.class);

  private HadoopInternals() {}

  private static Field hiddenField(Class<?> owner, String name) {
    return hiddenField(owner.getName(), name);
  }

  private static Field hiddenField(String owner, String name) {
    try {
      Field field = Class.forName(owner).getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(
          "Hadoop %s has no %s.%s".formatted(VersionInfo.getVersion(), owner, name), e);
    }
  }

  static MethodHandle hidden(String owner, String name, Class<?>... parameters) {
    try {
      Method method = Class.forName(owner).getDeclaredMethod(name, parameters);
      method.setAccessible(true);
      return MethodHandles.lookup().unreflect(method);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(
          "Hadoop %s has no %s.%s".formatted(VersionInfo.getVersion(), owner, name), e);
    }
  }

  private static MethodHandle hiddenConstructor(String owner, Class<?>... parameters) {
    try {
      Constructor<?> constructor = Class.forName(owner).getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
      return MethodHandles.lookup().unreflectConstructor(constructor);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(
          "Hadoop %s has no constructor of %s".formatted(VersionInfo.getVersion(), owner), e);
    }
  }

  /**
   * Checks that this Hadoop has every member that Braid uses.
   *
   * @throws LinkageError naming the missing members
   */
  public static void check() {
    require(BlockManager.class, "setReplication", short.class, short.class, BlockInfo.class);
    require(BlockManager.class, "isExcess", DatanodeDescriptor.class, BlockInfo.class);
    require(BlockManager.class, "countNodes", BlockInfo.class);
    require(BlockManager.class, "isPopulatingReplQueues");
    require(BlockManager.class, "getBlockPlacementPolicy");
    require(BlockManager.class, "refreshBlockPlacementPolicy", Configuration.class);
    require(FSNamesystem.class, "writeLock");
    require(FSNamesystem.class, "readLock");
    require(DatanodeStorageInfo.class, "areBlockContentsStale");
    require(DatanodeDescriptor.class, "getStorageInfo", String.class);
    require(DatanodeDescriptor.class, "setForceRegistration", boolean.class);
    require(
        BlockPlacementPolicyDefault.class,
        "chooseTarget",
        String.class,
        int.class,
        Node.class,
        List.class,
        boolean.class,
        Set.class,
        long.class,
        BlockStoragePolicy.class,
        EnumSet.class);
    excludesByLoad();
  }

  private static void require(Class<?> owner, String name, Class<?>... parameters) {
    try {
      owner.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      throw new LinkageError(
          "Hadoop %s has no public %s".formatted(VersionInfo.getVersion(), e.getMessage()), e);
    }
  }

  /** HDFS's own check that excludes overloaded nodes as targets of a block. */
  public static MethodHandle excludesByLoad() {
    return hidden(
        BlockPlacementPolicyDefault.class.getName(), "excludeNodeByLoad", DatanodeDescriptor.class);
  }

  /** The blocks that have a replica on a storage; the namesystem's lock is held. */
  public static Iterator<BlockInfo> blocks(DatanodeStorageInfo storage) {
    return blocks(BLOCKS_OF_STORAGE, storage);
  }

  /** The blocks with a replica on a storage, starting at a block that has one there. */
  public static Iterator<BlockInfo> blocksFrom(DatanodeStorageInfo storage, BlockInfo first) {
    return blocks(BLOCKS_FROM, storage, first);
  }

  @SuppressWarnings("unchecked") // the declared types
  private static Iterator<BlockInfo> blocks(MethodHandle list, Object... arguments) {
    try {
      return (Iterator<BlockInfo>) list.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("blocks of " + arguments[0] + " cannot be listed", e);
    }
  }

  /** HDFS's queue of blocks without a good replica. */
  @SuppressWarnings("unchecked") // the declared types
  static LightWeightLinkedSet<BlockInfo> unreadable(BlockManager blocks) {
    Object queues = value(RECONSTRUCTION_QUEUES, value(RECONSTRUCTION, blocks));
    int number = (int) Objects.requireNonNull(value(UNREADABLE_QUEUE, null));
    return ((List<LightWeightLinkedSet<BlockInfo>>) Objects.requireNonNull(queues)).get(number);
  }

  /** The first link of a set; null for an empty set. */
  static @Nullable Object firstLink(LightWeightLinkedSet<?> set) {
    return value(FIRST_LINK, set);
  }

  /** The link before a link; null for the first one. */
  static @Nullable Object linkBefore(Object link) {
    return value(LINK_BEFORE, link);
  }

  /** The link after a link; null for the last one. */
  static @Nullable Object linkAfter(Object link) {
    return value(LINK_AFTER, link);
  }

  /** The element of a link. */
  static Object linked(Object link) {
    return Objects.requireNonNull(value(LINKED, link));
  }

  private static @Nullable Object value(Field field, @Nullable Object of) {
    try {
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether a DataNode has reported that a storage has failed. */
  static boolean isFailed(DatanodeStorageInfo storage) {
    try {
      return (DatanodeStorage.State) STATE_OF_STORAGE.invokeExact(storage)
          == DatanodeStorage.State.FAILED;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the state of " + storage + " cannot be read", e);
    }
  }

  /**
   * Waits until all earlier edits are on disk. HDFS may write a call's edit after the call has
   * returned, because HDFS holds back the answer until then. It does not hold back a deferred
   * answer.
   */
  public static void syncEdits(FSNamesystem namesystem) {
    try {
      SYNC_EDITS.invoke(namesystem.getEditLog());
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the edit log cannot be synced", e);
    }
  }

  /**
   * The RPC servers on which a NameNode answers clients: the client server, and the service server
   * for DataNodes if {@code dfs.namenode.servicerpc-address} is set.
   */
  public static List<RPC.Server> servers(NameNodeRpcServer calls) {
    try {
      RPC.Server service = (RPC.Server) SERVICE_SERVER.invoke(calls);
      RPC.Server clients = calls.getClientRpcServer();
      return service == null ? List.of(clients) : List.of(clients, service);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the NameNode's servers cannot be named", e);
    }
  }

  /** Whether the connection of a call is still open. */
  public static boolean isOpen(Server.Call call) {
    try {
      return (boolean) IS_OPEN.invoke(call);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the connection of " + call + " cannot be looked at", e);
    }
  }

  /**
   * Refuses a call in safe mode as HDFS does.
   *
   * @param message the beginning of the refusal
   */
  public static void checkSafeMode(FSNamesystem namesystem, String message) throws IOException {
    try {
      CHECK_SAFE_MODE.invoke(namesystem, message);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("safe mode cannot be looked at", e);
    }
  }

  /** HDFS's checks of permissions for the present caller, through the attribute provider. */
  static FSPermissionChecker permissionChecker(FSDirectory directory) throws IOException {
    try {
      return (FSPermissionChecker) PERMISSION_CHECKER.invoke(directory);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("permissions cannot be checked", e);
    }
  }

  /**
   * Whether HDFS's retry cache holds the present call: the client repeats a call whose answer was
   * lost, and HDFS answers it without running it again.
   */
  public static boolean isRemembered(FSNamesystem namesystem) {
    RetryCache cache = namesystem.getRetryCache();
    byte[] client = Server.getClientId();
    if (cache == null || Server.getCallRetryCount() <= 0 || client.length != ClientId.BYTE_LENGTH) {
      return false;
    }
    cache.lock();
    try {
      Object key = REMEMBERED.invoke(client, Server.getCallId(), 0L);
      RetryCache.CacheEntry found = cache.getCacheSet().get((RetryCache.CacheEntry) key);
      return found != null && found.isSuccess();
    } catch (Throwable e) {
      throw new IllegalStateException("calls that are repeated cannot be recognized", e);
    } finally {
      cache.unlock();
    }
  }

  /**
   * Checks permissions as HDFS does for a deletion; a lock of the namesystem is held.
   *
   * @param ancestor access to the nearest existing directory above; null checks nothing
   * @param parent access to the parent directory, with its sticky bit; null checks nothing
   * @param access access to the inode itself; null checks nothing
   * @param below access to each directory at and below the inode that is not empty; null checks
   *     nothing
   */
  static void checkPermission(
      FSDirectory directory,
      FSPermissionChecker checker,
      INodesInPath path,
      @Nullable FsAction ancestor,
      @Nullable FsAction parent,
      @Nullable FsAction access,
      @Nullable FsAction below)
      throws IOException {
    try {
      CHECK_PERMISSION.invoke(
          directory, checker, path, false, ancestor, parent, access, below, true);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("permissions for " + path + " cannot be checked", e);
    }
  }

  /**
   * Refuses a superuser a file that is marked as unreadable by superusers, as HDFS does when it
   * opens one; a lock of the namesystem is held.
   */
  static void checkUnreadable(FSDirectory directory, FSPermissionChecker checker, INodesInPath path)
      throws IOException {
    try {
      CHECK_UNREADABLE.invoke(directory, checker, path);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("permissions for " + path + " cannot be checked", e);
    }
  }

  /**
   * Deletes a path as {@code FSNamesystem.delete} does. The caller decided the deletion under the
   * namesystem's write lock, still holds this lock, and syncs the edit log after releasing it.
   */
  public static void delete(FSNamesystem namesystem, INodesInPath path) {
    try {
      INode.BlocksMapUpdateInfo gone =
          (INode.BlocksMapUpdateInfo) DELETE.invoke(namesystem, path, false);
      if (gone != null) {
        namesystem.getBlockManager().addBLocksToMarkedDeleteQueue(gone.getToDeleteList());
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(path.getPath() + " cannot be deleted", e);
    }
  }

  /**
   * Sets the interval of HDFS's scrubber of lazily persisted files, and stops a running scrubber.
   * The interval takes effect when this NameNode next becomes active. The namesystem's write lock
   * is held.
   *
   * @param seconds 0 turns the scrubber off
   * @return the previous interval in seconds
   */
  public static int scrubLazyFiles(FSNamesystem namesystem, int seconds) {
    try {
      int before = SCRUB_INTERVAL.getInt(namesystem);
      SCRUB_INTERVAL.setInt(namesystem, seconds);
      Daemon running = (Daemon) SCRUBBER.get(namesystem);
      if (running != null) {
        STOP_SCRUBBER.invoke(running.getRunnable());
        running.interrupt();
      }
      return before;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("HDFS's scrubber cannot be stopped", e);
    }
  }

  /** The namesystem that a block manager works with. */
  static Namesystem namesystem(BlockManager blocks) {
    return (Namesystem) Objects.requireNonNull(value(NAMESYSTEM, blocks));
  }

  /** Replaces the namesystem of a block manager; the namesystem's write lock is held. */
  static void setNamesystem(BlockManager blocks, Namesystem namesystem) {
    try {
      NAMESYSTEM.set(blocks, namesystem);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Sets a file's replication as {@code FSNamesystem.setReplication} does. The caller holds the
   * namesystem's write lock and syncs the edit log after releasing it.
   *
   * @throws FileNotFoundException when the file is not in the namespace, but perhaps in snapshots:
   *     HDFS resolves the inode's path, where another file may be
   */
  public static void setReplication(FSNamesystem namesystem, long inode, short replication)
      throws IOException {
    try {
      FSDirectory directory = namesystem.getFSDirectory();
      INode file = directory.getInode(inode);
      if (file == null || Namespace.pathTo(directory, file).isEmpty()) {
        throw new FileNotFoundException("inode " + inode + " is not in the namespace");
      }
      Object checker = PERMISSION_CHECKER.invoke(directory);
      SET_REPLICATION.invoke(
          directory, checker, namesystem.getBlockManager(), BraidPaths.inode(inode), replication);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("the replication of inode " + inode + " cannot be set", e);
    }
  }
}
