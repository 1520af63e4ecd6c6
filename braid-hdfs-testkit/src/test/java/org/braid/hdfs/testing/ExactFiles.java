package org.braid.hdfs.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;

/** Writes files of one block and one replica on exact nodes, by plain means. */
public final class ExactFiles {
  private final EmbeddedCluster cluster;
  private final DistributedFileSystem fs;

  public ExactFiles(EmbeddedCluster cluster, DistributedFileSystem fs) {
    this.cluster = cluster;
    this.fs = fs;
  }

  /** Writes a file of one block whose only replica is on a node. */
  public void writeOn(Path path, byte[] content, long blockSize, int node) throws IOException {
    int port = cluster.dataNode(node).getXferPort();
    InetSocketAddress[] favored = {new InetSocketAddress(InetAddress.getLoopbackAddress(), port)};
    FsPermission open = FsPermission.getFileDefault();
    for (int tries = 0; tries < 5; tries++) {
      try (FSDataOutputStream out =
          fs.create(path, open, true, 4096, (short) 1, blockSize, null, favored)) {
        out.write(content);
      }
      // Favoured nodes are only a hint.
      String found = located(path).get(0).getLocations()[0].getDatanodeUuid();
      if (found.equals(cluster.uuid(node))) {
        return;
      }
    }
    throw new IOException("HDFS did not place " + path + " on " + cluster.nodeName(node));
  }

  /** The blocks of a file. */
  public List<LocatedBlock> located(Path path) throws IOException {
    String name = path.toUri().getPath();
    return fs.getClient().getLocatedBlocks(name, 0, Long.MAX_VALUE).getLocatedBlocks();
  }
}
