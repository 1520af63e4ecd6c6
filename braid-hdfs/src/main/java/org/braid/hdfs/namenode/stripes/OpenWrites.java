package org.braid.hdfs.namenode.stripes;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What is under way beside conversion: files that calls of clients are about to change, by inode,
 * none of whose replicas is dropped meanwhile and whose replication is not lowered; and HDFS's
 * {@code fsck} that deletes or moves files, during which nothing is dropped at all. It deletes
 * within the NameNode, where nobody is asked, each file of which it finds a block without a copy:
 * those that were replicated when it began are to be as safe until it ends.
 */
public final class OpenWrites {
  private static final String FSCK =
      "hdfs fsck -delete or -move is running: nothing is dropped meanwhile";

  private final Map<Long, Integer> calls = new ConcurrentHashMap<>();
  private final AtomicInteger fscks = new AtomicInteger();

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

  /** A {@code fsck} begins that deletes or moves files: before Braid looks whether it may. */
  public void beginFsck() {
    fscks.incrementAndGet();
  }

  /** Such a {@code fsck} has ended. */
  public void endFsck() {
    fscks.decrementAndGet();
  }

  /**
   * Why no replica may be dropped now, of whatever file; empty where that depends on the file. The
   * namesystem's write lock is held, so that a {@code fsck} that begins later finds what was
   * decided.
   */
  Optional<String> againstDrops() {
    return fscks.get() > 0 ? Optional.of(FSCK) : Optional.empty();
  }
}
