package org.braid.hdfs.namenode.host;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockCollection;
import org.apache.hadoop.hdfs.server.namenode.CacheManager;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.namenode.ha.HAContext;
import org.apache.hadoop.hdfs.util.RwLockMode;
import org.jspecify.annotations.Nullable;

/**
 * The namesystem as the block manager sees it. It notes which file each thread has asked for last:
 * HDFS does not tell its placement policy which block it decides on, but the block manager looks up
 * the block's file right before it asks the policy which replicas go.
 */
public final class WatchedNamesystem implements Namesystem {
  private static final class Noted {
    long inode;
  }

  private final NameNodeHost host;
  private final Namesystem stock;
  private final ThreadLocal<Noted> noted = ThreadLocal.withInitial(Noted::new);

  private WatchedNamesystem(NameNodeHost host, Namesystem stock) {
    this.host = host;
    this.stock = stock;
  }

  /**
   * Puts itself between a block manager and its namesystem. Under the write lock, so that whoever
   * holds the lock afterwards sees it.
   */
  public static WatchedNamesystem install(NameNodeHost host) throws IOException {
    return host.writing(
        "braidWatch",
        () -> {
          WatchedNamesystem watched =
              new WatchedNamesystem(host, HadoopInternals.namesystem(host.blocks()));
          HadoopInternals.setNamesystem(host.blocks(), watched);
          return watched;
        });
  }

  /** Gives the block manager its namesystem back. */
  public void remove() {
    try {
      host.writing(
          "braidWatch",
          () -> {
            HadoopInternals.setNamesystem(host.blocks(), stock);
            return true;
          });
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The inode of the file that the block manager asked for last on this thread; 0 for none. */
  public long inode() {
    return noted.get().inode;
  }

  @Override
  public @Nullable BlockCollection getBlockCollection(long id) {
    noted.get().inode = id;
    return stock.getBlockCollection(id);
  }

  @Override
  public boolean isRunning() {
    return stock.isRunning();
  }

  @Override
  public FSDirectory getFSDirectory() {
    return stock.getFSDirectory();
  }

  @Override
  public void startSecretManagerIfNecessary() {
    stock.startSecretManagerIfNecessary();
  }

  @Override
  public boolean isInSnapshot(long blockCollectionId) {
    return stock.isInSnapshot(blockCollectionId);
  }

  @Override
  public CacheManager getCacheManager() {
    return stock.getCacheManager();
  }

  @Override
  public HAContext getHAContext() {
    return stock.getHAContext();
  }

  @Override
  public boolean inTransitionToActive() {
    return stock.inTransitionToActive();
  }

  @Override
  public void removeXattr(long id, String name) throws IOException {
    stock.removeXattr(id, name);
  }

  @Override
  public void checkAndProvisionSnapshotTrashRoots() {
    stock.checkAndProvisionSnapshotTrashRoots();
  }

  @Override
  public boolean isInSafeMode() {
    return stock.isInSafeMode();
  }

  @Override
  public boolean isInStartupSafeMode() {
    return stock.isInStartupSafeMode();
  }

  @Override
  public void readLock(RwLockMode mode) {
    stock.readLock(mode);
  }

  @Override
  public void readLockInterruptibly(RwLockMode mode) throws InterruptedException {
    stock.readLockInterruptibly(mode);
  }

  @Override
  public void readUnlock(RwLockMode mode, String what) {
    stock.readUnlock(mode, what);
  }

  @Override
  public boolean hasReadLock(RwLockMode mode) {
    return stock.hasReadLock(mode);
  }

  @Override
  public void writeLock(RwLockMode mode) {
    stock.writeLock(mode);
  }

  @Override
  public void writeLockInterruptibly(RwLockMode mode) throws InterruptedException {
    stock.writeLockInterruptibly(mode);
  }

  @Override
  public void writeUnlock(RwLockMode mode, String what) {
    stock.writeUnlock(mode, what);
  }

  @Override
  public boolean hasWriteLock(RwLockMode mode) {
    return stock.hasWriteLock(mode);
  }
}
