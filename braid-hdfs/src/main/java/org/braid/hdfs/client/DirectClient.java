package org.braid.hdfs.client;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.braid.hdfs.rpc.DirectReads;
import org.jspecify.annotations.Nullable;

/** HDFS's client whose questions for locations are answered at once, whatever blocks are lost. */
final class DirectClient extends DFSClient {
  DirectClient(URI uri, Configuration conf, FileSystem.@Nullable Statistics statistics)
      throws IOException {
    super(uri, conf, statistics);
  }

  @Override
  public LocatedBlocks getLocatedBlocks(String src, long start, long length) throws IOException {
    return DirectReads.run(() -> super.getLocatedBlocks(src, start, length));
  }
}
