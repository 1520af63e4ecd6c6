package org.braid.hdfs.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.testing.Await;

/** Writes files on exact nodes, by plain means. */
public final class ExactFiles {
  private final EmbeddedCluster cluster;
  private final DistributedFileSystem fs;

  public ExactFiles(EmbeddedCluster cluster, DistributedFileSystem fs) {
    this.cluster = cluster;
    this.fs = fs;
  }

  /** Writes a file each block of which has a replica on each of some nodes, and no other. */
  public void writeOn(Path path, byte[] content, long blockSize, int... nodes) throws IOException {
    InetSocketAddress[] favored =
        IntStream.of(nodes)
            .map(node -> cluster.dataNode(node).getXferPort())
            .mapToObj(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .toArray(InetSocketAddress[]::new);
    Set<String> wanted =
        IntStream.of(nodes).mapToObj(cluster::uuid).collect(Collectors.toUnmodifiableSet());
    FsPermission open = FsPermission.getFileDefault();
    for (int tries = 0; tries < 5; tries++) {
      try (FSDataOutputStream out =
          fs.create(path, open, true, 4096, (short) nodes.length, blockSize, null, favored)) {
        out.write(content);
      }
      // The last nodes of a pipeline report a little later; favoured ones are only a hint.
      List<Set<String>> found =
          Await.until(
              "all replicas of " + path,
              () -> located(path).stream().map(ExactFiles::holders).toList(),
              seen -> seen.stream().allMatch(holders -> holders.size() == nodes.length));
      if (found.stream().allMatch(wanted::equals)) {
        return;
      }
    }
    throw new IOException("HDFS did not place " + path + " on nodes " + Arrays.toString(nodes));
  }

  private static Set<String> holders(LocatedBlock block) {
    return Stream.of(block.getLocations())
        .map(node -> node.getDatanodeUuid())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The blocks of a file. */
  public List<LocatedBlock> located(Path path) throws IOException {
    String name = path.toUri().getPath();
    return fs.getClient().getLocatedBlocks(name, 0, Long.MAX_VALUE).getLocatedBlocks();
  }
}
