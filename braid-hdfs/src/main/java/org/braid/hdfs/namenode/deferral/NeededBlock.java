package org.braid.hdfs.namenode.deferral;

import java.io.IOException;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.braid.hdfs.namenode.host.NameNodeHost;

/** Finds the block by which HDFS chooses the node that it redirects a WebHDFS request to. */
final class NeededBlock {
  private static final long NONE = -1;

  private NeededBlock() {}

  /**
   * The id of the block that holds a byte of the file at a path; for a path in a snapshot, of the
   * file at the time of the snapshot.
   *
   * @param offset offset of the byte; empty for the last one
   * @return -1 when there is no such block
   */
  static long at(NameNodeHost host, String path, OptionalLong offset) throws IOException {
    return host.readingFiles(
        "braidOpen",
        () -> {
          INodesInPath found = found(host, path);
          INode inode = found.getLastINode();
          return inode == null || !inode.isFile() || inode.asFile().isStriped()
              ? NONE
              : at(inode.asFile(), found.getPathSnapshotId(), offset);
        });
  }

  /** What a path leads to, also one that names a file by its number. */
  private static INodesInPath found(NameNodeHost host, String path) throws IOException {
    FSDirectory directory = host.namesystem().getFSDirectory();
    INode numbered = host.numbered(path);
    return directory.unprotectedResolvePath(numbered == null ? path : numbered.getFullPathName());
  }

  private static long at(INodeFile file, int snapshot, OptionalLong offset) {
    // The last block of a snapshot's file may have grown since.
    long length = file.computeFileSize(snapshot);
    long wanted = offset.orElse(length - 1);
    if (wanted < 0 || wanted >= length) {
      return NONE;
    }
    long end = 0;
    for (BlockInfo block : file.getBlocks(snapshot)) {
      end += block.getNumBytes();
      if (wanted < end) {
        return block.getBlockId();
      }
    }
    return NONE;
  }
}
