package org.braid.hdfs.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.braid.hdfs.embedded.EmbeddedCluster;

/** The files of a DataNode's disk, also of one that is stopped. */
public final class Disks {
  private Disks() {}

  /** The finalised file of a block. */
  public static Optional<Path> file(EmbeddedCluster cluster, int node, long blockId)
      throws IOException {
    return Optional.of(place(cluster, node, blockId)).filter(Files::exists);
  }

  /** Where the finalised file of a block is, or would be. */
  public static Path place(EmbeddedCluster cluster, int node, long blockId) throws IOException {
    try (Stream<Path> pools = Files.list(data(cluster, node).resolve("current"))) {
      Path pool =
          pools
              .filter(p -> p.getFileName().toString().startsWith("BP-"))
              .findFirst()
              .orElseThrow(() -> new IOException("node " + node + " has no block pool"));
      return DatanodeUtil.idToBlockDir(pool.resolve("current/finalized").toFile(), blockId)
          .toPath()
          .resolve("blk_" + blockId);
    }
  }

  /** The content of a block's replica, empty when there is none. */
  public static byte[] content(EmbeddedCluster cluster, int node, long blockId) throws IOException {
    Optional<Path> file = file(cluster, node, blockId);
    return file.isEmpty() ? new byte[0] : Files.readAllBytes(file.get());
  }

  private static Path data(EmbeddedCluster cluster, int node) {
    Path name =
        Path.of(
            java.net.URI.create(
                cluster.configuration().get(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY)));
    return name.resolveSibling("data" + node);
  }
}
