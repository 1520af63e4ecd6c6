package org.braid.hdfs.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;

/** Replicas that are broken behind HDFS's back. */
public final class BrokenReplicas {
  private BrokenReplicas() {}

  /** Flips a bit of a block's file. */
  public static void flip(EmbeddedCluster cluster, int node, BlockIdentity block, int offset)
      throws IOException {
    Disks.flip(cluster, node, block.id(), offset);
  }

  /** Flips a bit of a block's file and has the checksums beside it fit. */
  public static void flipUnseen(EmbeddedCluster cluster, int node, BlockIdentity block, int offset)
      throws IOException {
    Disks.flip(cluster, node, block.id(), offset);
    Path meta = meta(cluster, node, block);
    DataChecksum checksum;
    try (FileChannel header = FileChannel.open(meta, StandardOpenOption.READ)) {
      checksum = BlockMetadataHeader.preadHeader(header).getChecksum();
    }
    byte[] content = Disks.content(cluster, node, block.id());
    byte[] sums = Files.readAllBytes(meta);
    int from = BlockMetadataHeader.getHeaderSize();
    checksum.calculateChunkedSums(
        ByteBuffer.wrap(content), ByteBuffer.wrap(sums, from, sums.length - from).slice());
    Files.write(meta, sums);
  }

  /** Flips a bit of the checksums. */
  public static void flipChecksum(EmbeddedCluster cluster, int node, BlockIdentity block)
      throws IOException {
    Path meta = meta(cluster, node, block);
    byte[] sums = Files.readAllBytes(meta);
    sums[sums.length - 1] ^= 4;
    Files.write(meta, sums);
  }

  /** Cuts the end of a block's file off. */
  public static void truncate(EmbeddedCluster cluster, int node, BlockIdentity block)
      throws IOException {
    cut(Disks.file(cluster, node, block.id()).orElseThrow());
  }

  /** Cuts the end of the checksums off. */
  public static void truncateChecksum(EmbeddedCluster cluster, int node, BlockIdentity block)
      throws IOException {
    cut(meta(cluster, node, block));
  }

  private static void cut(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 1);
    }
  }

  /** Deletes a block's file. */
  public static void delete(EmbeddedCluster cluster, int node, BlockIdentity block)
      throws IOException {
    Files.delete(Disks.file(cluster, node, block.id()).orElseThrow());
  }

  /** Deletes the checksums. */
  public static void deleteChecksum(EmbeddedCluster cluster, int node, BlockIdentity block)
      throws IOException {
    Files.delete(meta(cluster, node, block));
  }

  /** Deletes both files and has the DataNode forget them, without a word to the NameNode. */
  public static void forget(EmbeddedCluster cluster, int node, BlockIdentity block)
      throws IOException {
    deleteChecksum(cluster, node, block);
    delete(cluster, node, block);
    Object data = cluster.dataNode(node).getFSDataset();
    try {
      Field map = data.getClass().getDeclaredField("volumeMap");
      map.setAccessible(true);
      var remove = map.getType().getDeclaredMethod("remove", String.class, Block.class);
      remove.setAccessible(true);
      remove.invoke(
          map.get(data),
          cluster.nameNode().getNamesystem().getBlockPoolId(),
          new Block(block.id(), block.length(), block.generation()));
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  private static Path meta(EmbeddedCluster cluster, int node, BlockIdentity block)
      throws IOException {
    String name = "blk_" + block.id() + "_" + block.generation() + ".meta";
    try (Stream<Path> files = Files.walk(cluster.dataDirectory(node))) {
      return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
    } catch (UncheckedIOException e) {
      throw new IOException(e);
    }
  }
}
