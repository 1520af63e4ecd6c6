package org.braid.hdfs.namenode.lock;

import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/**
 * The NameNode's read lock. Who holds that of files may ask for that of blocks, or for both; who
 * holds that of blocks alone may ask for no other one, as HDFS takes that of files first.
 */
public interface NameNodeLock {
  /** Waits for the read lock of a mode. */
  void begin(LockMode mode);

  /**
   * Gives it back.
   *
   * @param what it was held for, as the NameNode is to report it
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
