package org.braid.hdfs.namenode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.braid.hdfs.embedded.EmbeddedCluster;

/** The files of a DataNode's disk, also of one that is stopped. */
final class Disks {
  private Disks() {}

  /** The finalised file of a block. */
  static Optional<Path> file(EmbeddedCluster cluster, int node, long blockId) throws IOException {
    try (Stream<Path> files = Files.walk(data(cluster, node))) {
      return files
          .filter(p -> p.toString().contains("/finalized/"))
          .filter(p -> p.getFileName().toString().equals("blk_" + blockId))
          .findFirst();
    } catch (java.io.UncheckedIOException e) {
      // A file went away while the tree was walked.
      return file(cluster, node, blockId);
    }
  }

  /** The content of a block's replica, empty when there is none. */
  static byte[] content(EmbeddedCluster cluster, int node, long blockId) throws IOException {
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
