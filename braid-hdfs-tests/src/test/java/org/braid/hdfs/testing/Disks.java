package org.braid.hdfs.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;

/** The files of a DataNode's disk, also of one that is stopped. */
public final class Disks {
  private Disks() {}

  /** The finalised file of a block. */
  public static Optional<Path> file(EmbeddedCluster cluster, int node, long blockId)
      throws IOException {
    return Optional.of(place(cluster, node, blockId)).filter(Files::exists);
  }

  /**
   * Copies a block's files from one disk to that of a stopped node, which finds them when it
   * starts: as if it had been away while the block was moved.
   */
  public static void copy(EmbeddedCluster cluster, int from, int to, long id, long generation)
      throws IOException {
    Path source = place(cluster, from, id);
    Path target = place(cluster, to, id);
    Files.createDirectories(target.getParent());
    String meta = "blk_" + id + "_" + generation + ".meta";
    Files.copy(source, target);
    Files.copy(source.resolveSibling(meta), target.resolveSibling(meta));
    // Else the node trusts the list of replicas that it wrote when it stopped.
    Files.deleteIfExists(pool(cluster, to).resolve("current/replicas"));
  }

  /** Whether a node keeps a deleted replica of a block in its trash, as in a rolling upgrade. */
  public static boolean isInTrash(EmbeddedCluster cluster, int node, long blockId)
      throws IOException {
    File finalized = pool(cluster, node).resolve("trash/finalized").toFile();
    return Files.exists(
        DatanodeUtil.idToBlockDir(finalized, blockId).toPath().resolve("blk_" + blockId));
  }

  /** Whether a node keeps any deleted replica. */
  public static boolean hasTrash(EmbeddedCluster cluster, int node) throws IOException {
    return Files.exists(pool(cluster, node).resolve("trash"));
  }

  private static Path place(EmbeddedCluster cluster, int node, long blockId) throws IOException {
    File finalized = pool(cluster, node).resolve("current/finalized").toFile();
    return DatanodeUtil.idToBlockDir(finalized, blockId).toPath().resolve("blk_" + blockId);
  }

  private static Path pool(EmbeddedCluster cluster, int node) throws IOException {
    try (Stream<Path> pools = Files.list(cluster.dataDirectory(node).resolve("current"))) {
      return pools
          .filter(p -> p.getFileName().toString().startsWith("BP-"))
          .findFirst()
          .orElseThrow(() -> new IOException("node " + node + " has no block pool"));
    }
  }

  /** The content of a block's replica, empty when there is none. */
  public static byte[] content(EmbeddedCluster cluster, int node, long blockId) throws IOException {
    Optional<Path> file = file(cluster, node, blockId);
    return file.isEmpty() ? new byte[0] : Files.readAllBytes(file.get());
  }

  /** Flips a byte of a replica on its disk, behind HDFS's back. */
  public static void flip(EmbeddedCluster cluster, int node, long blockId, int offset)
      throws IOException {
    Path file = file(cluster, node, blockId).orElseThrow();
    byte[] content = Files.readAllBytes(file);
    content[offset] ^= 1;
    Files.write(file, content);
  }
}
