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

/** Files by number and by path: HDFS finds one of which it has the number by its path. */
public final class Namespace {
  private Namespace() {}

  /**
   * What stands at a path; null: nothing. HDFS calls a file that only snapshots have by its name
   * alone when it was renamed before: nothing stands there. A lock of the namesystem is held.
   */
  static @Nullable INode at(FSDirectory directory, String path) throws IOException {
    return path.startsWith("/") ? directory.unprotectedResolvePath(path).getLastINode() : null;
  }

  /**
   * What leads to an inode; empty when only snapshots have it. Another one may stand at its path
   * then. A lock of the namesystem is held.
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
   * Whether a directory has a child now; one that only snapshots have has that parent still. A lock
   * of the namesystem is held.
   */
  public static boolean isIn(INodeDirectory directory, INode child) {
    INode there = directory.getChild(child.getLocalNameBytes(), Snapshot.CURRENT_STATE_ID);
    return there != null && there.getId() == child.getId();
  }

  /**
   * The number of a snapshot, {@link Snapshot#NO_SNAPSHOT_ID} for none. The lock is held.
   *
   * @param root of its directory
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
   * Whether a block is among those of a file, of which there may be tens of thousands. HDFS gives
   * blocks ascending numbers, so that the place of a block is soon found. All blocks are looked at
   * where the number is not there: other files, with other numbers, may have been joined to this
   * one.
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
