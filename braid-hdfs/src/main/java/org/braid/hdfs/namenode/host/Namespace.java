package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.snapshot.DirectorySnapshottableFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.jspecify.annotations.Nullable;

/** Finds inodes by number and by path: HDFS resolves an inode's number through the inode's path. */
public final class Namespace {
  private Namespace() {}

  /**
   * The inode at a path, or null. HDFS gives a file that was renamed, and that only snapshots hold
   * now, its bare name as its path: null for such a path. A lock of the namesystem is held.
   */
  static @Nullable INode at(FSDirectory directory, String path) throws IOException {
    return path.startsWith("/") ? directory.unprotectedResolvePath(path).getLastINode() : null;
  }

  /**
   * Resolves an inode; empty when only snapshots hold it, even if another inode has its path now. A
   * lock of the namesystem is held.
   */
  public static Optional<INodesInPath> pathTo(FSDirectory directory, INode inode)
      throws IOException {
    String path = inode.getFullPathName();
    INode there = at(directory, path);
    return there != null && there.getId() == inode.getId()
        ? Optional.of(directory.unprotectedResolvePath(path))
        : Optional.empty();
  }

  /**
   * Whether a directory has a child now. A child that only snapshots hold still names the directory
   * as its parent. A lock of the namesystem is held.
   */
  public static boolean isIn(INodeDirectory directory, INode child) {
    INode there = directory.getChild(child.getLocalNameBytes(), Snapshot.CURRENT_STATE_ID);
    return there != null && there.getId() == child.getId();
  }

  /**
   * The id of a snapshot, or {@link Snapshot#NO_SNAPSHOT_ID}. The lock is held.
   *
   * @param root the snapshot's directory
   */
  public static int snapshot(@Nullable INode root, String name) {
    DirectorySnapshottableFeature feature =
        root != null && root.isDirectory()
            ? root.asDirectory().getDirectorySnapshottableFeature()
            : null;
    Snapshot found = feature == null ? null : feature.getSnapshot(DFSUtil.string2Bytes(name));
    return found == null ? Snapshot.NO_SNAPSHOT_ID : found.getId();
  }

  /**
   * Whether a file has a block, among possibly tens of thousands. HDFS numbers blocks in ascending
   * order, so a binary search usually finds the block. If not, scans all blocks: concat may have
   * joined files whose blocks have other numbers.
   */
  public static boolean has(Block[] blocks, Block block) {
    long wanted = block.getBlockId();
    int from = 0;
    int to = blocks.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      long id = blocks[middle].getBlockId();
      if (id == wanted) {
        return true;
      }
      if (id < wanted) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return Arrays.asList(blocks).contains(block);
  }
}
