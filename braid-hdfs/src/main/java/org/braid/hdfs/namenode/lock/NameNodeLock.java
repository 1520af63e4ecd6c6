package org.braid.hdfs.namenode.lock;

import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/**
 * The NameNode's read lock. A thread that holds the lock of files may take the lock of blocks, or
 * both. A thread that holds the lock of blocks alone may take no other, because HDFS takes the lock
 * of files first.
 */
public interface NameNodeLock {
  /** Waits for the read lock of a mode. */
  void begin(LockMode mode);

  /**
   * Releases the read lock of a mode.
   *
   * @param what purpose of the hold, which the NameNode reports
   */
  void end(LockMode mode, String what);

  /** The lock of a namesystem, as the Hadoop of this process has it. */
  static NameNodeLock of(FSNamesystem namesystem) {
    try {
      return new ModeLock(namesystem, Class.forName("org.apache.hadoop.hdfs.util.RwLockMode"));
    } catch (ClassNotFoundException e) {
      return new OneLock(namesystem::readLock, namesystem::readUnlock);
    }
  }
}
