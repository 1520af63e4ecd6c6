package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Right;
import org.braid.hdfs.namenode.host.CallerRights;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives encoded blocks the replication that a user has set on their file, even if the file already
 * had it because of a write. HDFS resolves the path under its own lock, so another file may have
 * had the path before, or may have it now. So the file is identified by its inode: it was at the
 * path before or after the call, the caller could write to it then, and it has the requested
 * replication.
 */
final class UserReplication {
  private static final Logger LOG = LoggerFactory.getLogger(UserReplication.class);
  private static final String OPERATION = "braidReplicate";

  private final NameNodeHost host;
  private final StripeIndex index;

  UserReplication(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /** The inode of the file at a path, if the present caller may set its replication; else 0. */
  long fileAt(String path) throws IOException {
    if (!host.nameNode().isActiveState()) {
      return 0;
    }
    CallerRights caller = CallerRights.of(host);
    return host.readingFiles(OPERATION, () -> fileAt(path, caller));
  }

  private long fileAt(String path, CallerRights caller) {
    try {
      INode found = host.inode(path);
      return found != null && found.isFile() && Right.WRITE.isOf(caller, path) ? found.getId() : 0;
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} is left to HDFS: {}", path, e.getMessage());
      return 0;
    }
  }

  /**
   * Handles a replication that HDFS has set for the present caller.
   *
   * @param before inode of the file at the path before the call; 0 for none
   * @return whether encoded blocks get replicas
   */
  boolean set(long before, String path, int replication) throws IOException {
    // Most files have no such blocks: for them nobody has to wait for the write lock.
    if (!host.reading(OPERATION, () -> lacks(before, replication) || lacksAt(path, replication))) {
      return false;
    }
    CallerRights caller = CallerRights.of(host);
    return host.writing(
        OPERATION,
        () -> {
          Set<Long> files = new TreeSet<>(Set.of(before));
          files.add(fileAt(path, caller));
          boolean any = false;
          for (long file : files) {
            any |= replicate(file, replication);
          }
          return any;
        });
  }

  /** Whether that may be so of the file that stands at a path now. */
  private boolean lacksAt(String path, int replication) {
    try {
      INode found = host.inode(path);
      return found != null && lacks(found.getId(), replication);
    } catch (IOException | RuntimeException e) {
      return true; // it is looked at again
    }
  }

  /** Whether blocks of a file have fewer replicas than the file is to have. */
  private boolean lacks(long inode, int replication) {
    return lacking(inode, replication).findAny().isPresent();
  }

  private boolean replicate(long inode, int replication) {
    List<BlockInfo> encoded =
        lacking(inode, replication).filter(block -> index.holding(block).isPresent()).toList();
    encoded.forEach(block -> host.aims().set(block, (short) replication));
    return !encoded.isEmpty();
  }

  /** The blocks of a file that have fewer replicas than the file is to have. */
  private Stream<BlockInfo> lacking(long inode, int replication) {
    INode found = host.namesystem().getFSDirectory().getInode(inode);
    if (found == null || !found.isFile() || found.asFile().isStriped()) {
      return Stream.empty();
    }
    INodeFile file = found.asFile();
    return file.getFileReplication() == replication
        ? Arrays.stream(file.getBlocks()).filter(block -> host.aims().of(block) < replication)
        : Stream.empty();
  }
}
