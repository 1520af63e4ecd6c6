package org.braid.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.Nullable;

/** The DataNode's own HDFS client, made when first needed. */
final class StagingFiles implements Closeable {
  private final Configuration conf;
  private @Nullable DistributedFileSystem files;
  private boolean closed;

  StagingFiles(Configuration conf) {
    this.conf = conf;
  }

  synchronized DistributedFileSystem get() throws IOException {
    if (closed) {
      throw new IOException("the DataNode is stopping");
    }
    if (files == null) {
      FileSystem made = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
      if (!(made instanceof DistributedFileSystem distributed)) {
        made.close();
        throw new IOException(
            FileSystem.FS_DEFAULT_NAME_KEY
                + " of the DataNode is "
                + FileSystem.getDefaultUri(conf)
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
