package org.braid.hdfs.client.contract;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;

/** Converts files of a cluster and loses a data block of each of their stripes. */
final class ConvertedFiles implements Closeable {
  private static final String CODE = "rs-3-2";
  private static final int K = 3;

  private final EmbeddedCluster cluster;
  private final DistributedFileSystem plain;
  private final Cluster braid;

  ConvertedFiles(EmbeddedCluster cluster) throws IOException {
    this.cluster = cluster;
    plain = cluster.fileSystem();
    braid =
        Braid.connect(
            new Connection(Optional.of(cluster.uri()), List.of(), cluster.clientProperties()));
  }

  /**
   * Converts what is replicated of a file, and loses the first block of each stripe; of a directory
   * the first block of its first file.
   */
  synchronized void degrade(Path path) throws IOException {
    if (!plain.exists(path)) {
      return;
    }
    Optional<LocatedFileStatus> first = firstReplicated(path);
    if (first.isPresent()) {
      convert(path.toUri().getPath());
      LocatedBlocks blocks =
          plain.getClient().getLocatedBlocks(first.get().getPath().toUri().getPath(), 0);
      for (int i = 0; i < blocks.locatedBlockCount(); i += K) {
        lose(blocks.get(i).getBlock());
      }
    }
  }

  private Optional<LocatedFileStatus> firstReplicated(Path path) throws IOException {
    RemoteIterator<LocatedFileStatus> files = plain.listFiles(path, true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      if (file.getLen() > 0 && file.getReplication() > 1 && plain.isFileClosed(file.getPath())) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  private void convert(String src) throws IOException {
    ConvertReport report =
        braid.convert(
            new ConvertRequest(
                List.of(src),
                CODE,
                OptionalInt.empty(),
                new ConvertRequest.Method(
                    ConvertRequest.Encoder.CORE_RACK,
                    ConvertRequest.Group.ORDER,
                    ConvertRequest.Encode.GATHER,
                    ConvertRequest.Homes.EVEN),
                2,
                4096,
                1,
                Progress.SILENT));
    if (!report.skipped().isEmpty()) {
      throw new IOException("not converted: " + report.skipped());
    }
  }

  /** Removes all replicas of a block, as lost disks would; HDFS is still deleting surplus ones. */
  private void lose(ExtendedBlock block) throws IOException {
    Block[] replicas = {block.getLocalBlock()};
    for (int node = 0; node < cluster.nodes(); node++) {
      FsDatasetSpi<?> disk = cluster.dataNode(node).getFSDataset();
      if (disk.contains(block)) {
        try {
          disk.invalidate(block.getBlockPoolId(), replicas);
        } catch (IOException e) {
          if (disk.contains(block)) {
            throw e;
          }
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    braid.close();
    plain.close();
  }
}
