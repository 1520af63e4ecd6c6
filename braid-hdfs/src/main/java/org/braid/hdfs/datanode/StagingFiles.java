package org.braid.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.setting.StockClient;
import org.jspecify.annotations.Nullable;

/**
 * The DataNode's own client of a block pool's NameNode, made when first needed. It is HDFS's own,
 * whatever class programs with the same configuration have: one that mounts other file systems
 * would write elsewhere.
 */
final class StagingFiles implements Closeable {
  private final URI uri;
  private final Configuration conf;
  private @Nullable DistributedFileSystem files;
  private boolean closed;

  StagingFiles(URI uri, Configuration conf) {
    this.uri = uri;
    this.conf = new Configuration(conf);
    StockClient.configure(this.conf);
    // The NameNode hears of a written block some milliseconds after the client does; the client's
    // first wait of 400 ms would be most of the time that a small parity file takes.
    this.conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
    this.conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 13);
  }

  synchronized DistributedFileSystem get() throws IOException {
    if (closed) {
      throw new IOException("the DataNode is stopping");
    }
    if (files == null) {
      FileSystem made = FileSystem.newInstance(uri, conf);
      if (!(made instanceof DistributedFileSystem distributed)) {
        made.close();
        throw new IOException(
            FileSystem.FS_DEFAULT_NAME_KEY
                + " of the DataNode is "
                + uri
                + ", which is no HDFS: parity cannot be written");
      }
      files = distributed;
    }
    return files;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (files != null) {
      files.close();
    }
  }
}
