package org.apache.hadoop.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.jspecify.annotations.NullMarked;

/**
 * Creates HDFS's file system of FileContext and replaces its client. It is in HDFS's package
 * because it uses package-private members; it adds no behaviour.
 */
@NullMarked
public final class HdfsAccess {
  private HdfsAccess() {}

  /** HDFS's own file system. */
  public static Hdfs open(URI uri, Configuration conf) throws IOException, URISyntaxException {
    return new Hdfs(uri, conf);
  }

  /** Replaces the client of a file system. */
  public static void install(DFSClient client, Hdfs fs) throws IOException {
    DFSClient replaced = fs.dfs;
    fs.dfs = client;
    replaced.close();
  }
}
