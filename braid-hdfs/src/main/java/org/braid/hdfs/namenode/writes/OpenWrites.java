package org.braid.hdfs.namenode.writes;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;

/**
 * What is under way beside conversion: files that calls of clients are about to change, by inode,
 * none of whose replicas is dropped meanwhile and whose replication is not lowered; and HDFS's
 * {@code fsck} that deletes or moves files, during which nothing is dropped where it may look. It
 * deletes within the NameNode, where nobody is asked, each file of which it finds a block without a
 * copy: those that were replicated when it began are to be as safe until it ends.
 */
public final class OpenWrites {
  private static final String FSCK =
      "hdfs fsck -delete or -move is running there: nothing is dropped meanwhile";

  private final Map<Long, Integer> calls = new ConcurrentHashMap<>();
  private final Set<Fsck> fscks = ConcurrentHashMap.newKeySet();

  /** Files of which encoded blocks aim at other than the file wants, in memory alone. */
  private final Set<Long> lowered = ConcurrentHashMap.newKeySet();

  /** A {@code fsck} that deletes or moves files. */
  public interface Fsck {
    /**
     * Whether it may look at a file before it ends. The namesystem's lock is held.
     *
     * @param path the file's
     */
    boolean reaches(String path) throws IOException;
  }

  /** A call begins. */
  public void begin(long inode) {
    calls.merge(inode, 1, Integer::sum);
  }

  /** A call has ended. */
  public void end(long inode) {
    calls.computeIfPresent(inode, (file, open) -> open == 1 ? null : open - 1);
  }

  /** Whether a call is about to change a file. */
  public boolean contains(long inode) {
    return calls.containsKey(inode);
  }

  /** A block of a file aims at other than the file wants, in memory alone. */
  public void lowered(long inode) {
    lowered.add(inode);
  }

  /** The blocks of a file aim at what it wants, or it is gone. */
  public void forgetLowered(long inode) {
    lowered.remove(inode);
  }

  /** The files of which blocks may aim at other than the file wants. */
  public Set<Long> lowered() {
    return Set.copyOf(lowered);
  }

  /** A {@code fsck} begins that deletes or moves files: before Braid looks whether it may. */
  public void beginFsck(Fsck fsck) {
    fscks.add(fsck);
  }

  /** Such a {@code fsck} has ended. */
  public void endFsck(Fsck fsck) {
    fscks.remove(fsck);
  }

  /**
   * Why no replica of a file's blocks may be dropped now. The namesystem's write lock is held, so
   * that a {@code fsck} that begins later finds what was decided.
   */
  public Optional<String> againstDrops(INodeFile file) throws IOException {
    if (fscks.isEmpty()) {
      return Optional.empty();
    }
    String path = file.getFullPathName();
    for (Fsck fsck : fscks) {
      if (fsck.reaches(path)) {
        return Optional.of(FSCK);
      }
    }
    return Optional.empty();
  }
}
