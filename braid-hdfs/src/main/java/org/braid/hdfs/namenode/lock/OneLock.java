package org.braid.hdfs.namenode.lock;

import java.util.function.Consumer;

/**
 * The lock of Hadoop 3.4, which is the same in all modes.
 *
 * @param lock takes the lock
 * @param unlock releases the lock and gets the purpose of the hold
 */
record OneLock(Runnable lock, Consumer<String> unlock) implements NameNodeLock {
  @Override
  public void begin(LockMode mode) {
    lock.run();
  }

  @Override
  public void end(LockMode mode, String what) {
    unlock.accept(what);
  }
}
