package org.braid.hdfs.namenode.writes;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;

/**
 * Changes of files that are under way and that conversion must respect. The first kind are client
 * calls that are about to change a file, by inode: meanwhile Braid drops no replica of the file and
 * does not lower its replication. The second kind are runs of HDFS's {@code fsck} that delete or
 * move files: meanwhile Braid drops no replica of a file that the run may reach. Such a run deletes
 * files within the NameNode, where no guard is called, if it finds a block without a replica. So
 * files that were replicated at its beginning stay replicated until its end.
 */
public final class OpenWrites {
  private static final String FSCK =
      "hdfs fsck -delete or -move is running there: nothing is dropped meanwhile";

  private final Map<Long, Integer> calls = new ConcurrentHashMap<>();
  private final Set<Fsck> fscks = ConcurrentHashMap.newKeySet();

  /** Files of which encoded blocks aim at other than the file wants, in memory alone. */
  private final Set<Long> lowered = ConcurrentHashMap.newKeySet();

  /** A run of {@code fsck} that deletes or moves files. */
  public interface Fsck {
    /**
     * Whether the run may reach a file before it ends. The namesystem's lock is held.
     *
     * @param path path of the file
     */
    boolean reaches(String path) throws IOException;
  }

  /** Begins a call that changes a file. */
  public void begin(long inode) {
    calls.merge(inode, 1, Integer::sum);
  }

  /** Ends a call that changes a file. */
  public void end(long inode) {
    calls.computeIfPresent(inode, (file, open) -> open == 1 ? null : open - 1);
  }

  /** Whether a call that changes a file is under way. */
  public boolean contains(long inode) {
    return calls.containsKey(inode);
  }

  /**
   * Notes that a block of a file aims at another number of replicas than the file, in memory only.
   */
  public void lowered(long inode) {
    lowered.add(inode);
  }

  /** Notes that all blocks of a file aim at the file's replication, or that the file is deleted. */
  public void forgetLowered(long inode) {
    lowered.remove(inode);
  }

  /** The files with blocks that may aim at another number of replicas than the file. */
  public Set<Long> lowered() {
    return Set.copyOf(lowered);
  }

  /**
   * Begins a run of {@code fsck} that deletes or moves files; called before Braid checks whether
   * the run is allowed.
   */
  public void beginFsck(Fsck fsck) {
    fscks.add(fsck);
  }

  /** Ends a run of {@code fsck}. */
  public void endFsck(Fsck fsck) {
    fscks.remove(fsck);
  }

  /**
   * The reason why no replica of a file may be dropped now; empty if there is none. The
   * namesystem's write lock is held, so that a run of {@code fsck} that begins later sees the
   * result of the decision.
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
