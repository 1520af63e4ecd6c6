package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;

/** Files by number and by path: HDFS finds one of which it has the number by its path. */
public final class Namespace {
  private Namespace() {}

  /**
   * What leads to an inode; empty when only snapshots have it. Another one may stand at its path
   * then. A lock of the namesystem is held.
   */
  public static Optional<INodesInPath> pathTo(FSDirectory directory, INode inode)
      throws IOException {
    INodesInPath found = directory.unprotectedResolvePath(inode.getFullPathName());
    INode there = found.getLastINode();
    return there != null && there.getId() == inode.getId() ? Optional.of(found) : Optional.empty();
  }
}
