package org.apache.hadoop.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.jspecify.annotations.NullMarked;

/**
 * Makes HDFS's file system of FileContext and gives it another client. It stands in that class's
 * package because what it uses is visible there only; it adds no behaviour.
 */
@NullMarked
public final class HdfsAccess {
  private HdfsAccess() {}

  /** HDFS's own file system. */
  public static Hdfs open(URI uri, Configuration conf) throws IOException, URISyntaxException {
    return new Hdfs(uri, conf);
  }

  /** Makes a client the one that a file system uses, in place of its own. */
  public static void install(DFSClient client, Hdfs fs) throws IOException {
    DFSClient replaced = fs.dfs;
    fs.dfs = client;
    replaced.close();
  }
}
