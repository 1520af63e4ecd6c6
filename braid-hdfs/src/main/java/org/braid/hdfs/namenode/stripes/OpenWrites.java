package org.braid.hdfs.namenode.stripes;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Files that calls of clients are about to change, by inode: meanwhile none of their replicas is
 * dropped, and their replication is not lowered.
 */
public final class OpenWrites {
  private final Map<Long, Integer> calls = new ConcurrentHashMap<>();

  /** A call begins. */
  public void begin(long inode) {
    calls.merge(inode, 1, Integer::sum);
  }

  /** A call has ended. */
  public void end(long inode) {
    calls.computeIfPresent(inode, (file, open) -> open == 1 ? null : open - 1);
  }

  /** Whether a call is about to change a file. */
  boolean contains(long inode) {
    return calls.containsKey(inode);
  }
}
