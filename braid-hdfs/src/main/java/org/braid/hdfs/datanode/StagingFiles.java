package org.braid.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.datanode.peers.PerConfiguration;
import org.braid.hdfs.datanode.peers.PoolNameNodes;
import org.braid.hdfs.setting.StockClient;

/**
 * The DataNode's own client of a block pool's NameNode, created at the first use. It always uses
 * HDFS's client class, whatever class the configuration names: a class that mounts other file
 * systems would write elsewhere.
 */
final class StagingFiles implements Closeable {
  private final PerConfiguration<DistributedFileSystem> files;

  /**
   * Creates the holder of a client.
   *
   * @param conf returns the configuration of the DataNode
   * @param nameNode finds the NameNode in the configuration, or several of which one is active
   */
  StagingFiles(Supplier<Configuration> conf, PoolNameNodes.Lookup nameNode) {
    files = new PerConfiguration<>(conf, present -> open(nameNode.uri(present), present));
  }

  private static DistributedFileSystem open(URI uri, Configuration present) throws IOException {
    Configuration conf = new Configuration(present);
    StockClient.configure(conf);
    // The NameNode hears of a written block some milliseconds after the client does; the client's
    // first wait of 400 ms would be most of the time that a small parity file takes.
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 13);
    FileSystem made = FileSystem.newInstance(uri, conf);
    if (!(made instanceof DistributedFileSystem distributed)) {
      made.close();
      throw new IOException(
          FileSystem.FS_DEFAULT_NAME_KEY
              + " of the DataNode is "
              + uri
              + ", which is no HDFS: parity cannot be written");
    }
    return distributed;
  }

  /** Borrows the client of the present configuration. */
  PerConfiguration.Held<DistributedFileSystem> hold() throws IOException {
    return files.hold();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
