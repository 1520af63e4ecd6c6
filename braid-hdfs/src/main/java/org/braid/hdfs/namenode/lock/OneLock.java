package org.braid.hdfs.namenode.lock;

import java.util.function.Consumer;

/**
 * The lock of Hadoop 3.4: all modes are the same one.
 *
 * @param lock takes it
 * @param unlock gives it back, and is told what it was held for
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
