package org.braid.hdfs.namenode;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.util.RwLockMode;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.VersionInfo;

/**
 * What Braid uses of the NameNode beyond its public methods, and a check at start that this Hadoop
 * still has everything it uses of the classes that HDFS calls private.
 */
final class HadoopInternals {
  private static final MethodHandle BLOCKS_OF_STORAGE = blocksOfStorage();

  private HadoopInternals() {}

  private static MethodHandle blocksOfStorage() {
    try {
      Method method = DatanodeStorageInfo.class.getDeclaredMethod("getBlockIterator");
      method.setAccessible(true);
      return MethodHandles.lookup().unreflect(method);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(
          "Hadoop " + VersionInfo.getVersion() + " has no DatanodeStorageInfo.getBlockIterator", e);
    }
  }

  /**
   * Checks that this Hadoop is one that Braid works with.
   *
   * @throws LinkageError naming what is missing
   */
  static void check() {
    require(BlockManager.class, "setReplication", short.class, short.class, BlockInfo.class);
    require(BlockManager.class, "isExcess", DatanodeDescriptor.class, BlockInfo.class);
    require(BlockManager.class, "countNodes", BlockInfo.class);
    require(BlockManager.class, "isPopulatingReplQueues");
    require(FSNamesystem.class, "writeLock", RwLockMode.class);
    require(FSNamesystem.class, "readLock", RwLockMode.class);
    require(DatanodeStorageInfo.class, "areBlockContentsStale");
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
  }

  private static void require(Class<?> owner, String name, Class<?>... parameters) {
    try {
      owner.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      throw new LinkageError(
          "Hadoop "
              + VersionInfo.getVersion()
              + " has no public "
              + e.getMessage()
              + ": use Braid with Hadoop 3.5",
          e);
    }
  }

  /** The blocks that have a replica on a storage; the namesystem's lock is held. */
  @SuppressWarnings("unchecked") // the method's declared type
  static Iterator<BlockInfo> blocks(DatanodeStorageInfo storage) {
    try {
      return (Iterator<BlockInfo>) BLOCKS_OF_STORAGE.invoke(storage);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("blocks of " + storage + " cannot be listed", e);
    }
  }
}
