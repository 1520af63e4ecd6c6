package org.braid.hdfs.client.contract;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.fs.contract.ContractOptions;
import org.braid.hdfs.client.BraidAbstractFileSystem;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;

/** An embedded cluster with Braid's plugins for Hadoop's contract tests, and its client. */
final class ContractBed implements Closeable {
  /** What HDFS promises beyond the defaults of the contract tests. */
  private static final List<String> PROMISES =
      List.of(
          ContractOptions.IS_CASE_SENSITIVE,
          ContractOptions.REJECTS_SEEK_PAST_EOF,
          ContractOptions.RENAME_RETURNS_FALSE_IF_DEST_EXISTS,
          ContractOptions.RENAME_RETURNS_FALSE_IF_SOURCE_MISSING,
          ContractOptions.SUPPORTS_APPEND,
          ContractOptions.SUPPORTS_ATOMIC_DIRECTORY_DELETE,
          ContractOptions.SUPPORTS_ATOMIC_RENAME,
          ContractOptions.SUPPORTS_BLOCK_LOCALITY,
          ContractOptions.SUPPORTS_CONCAT,
          ContractOptions.SUPPORTS_CONTENT_CHECK,
          ContractOptions.SUPPORTS_FILE_REFERENCE,
          ContractOptions.SUPPORTS_GETFILESTATUS,
          ContractOptions.SUPPORTS_HFLUSH,
          ContractOptions.SUPPORTS_HSYNC,
          ContractOptions.SUPPORTS_SEEK,
          ContractOptions.SUPPORTS_SETTIMES,
          ContractOptions.SUPPORTS_STRICT_EXCEPTIONS,
          ContractOptions.SUPPORTS_UNBUFFER,
          ContractOptions.SUPPORTS_UNIX_PERMISSIONS,
          ContractOptions.TEST_ROOT_TESTS_ENABLED);

  final EmbeddedCluster cluster;
  final FileSystem fs;
  private final Class<? extends FileSystem> client;

  /**
   * Starts a cluster.
   *
   * @param client the file system whose promises are tested
   */
  ContractBed(EmbeddedSettings settings, Class<? extends FileSystem> client) throws IOException {
    cluster = EmbeddedCluster.start(settings);
    this.client = client;
    fs = client(Map.of());
  }

  /** A new client. */
  FileSystem client(Map<String, String> properties) throws IOException {
    Configuration conf = cluster.configuration();
    conf.setClass("fs.hdfs.impl", client, FileSystem.class);
    conf.setClass(
        "fs.AbstractFileSystem.hdfs.impl", BraidAbstractFileSystem.class, AbstractFileSystem.class);
    properties.forEach(conf::set);
    return FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  /** A new FileContext of the cluster, by Braid's twin of the file system. */
  FileContext context() throws IOException {
    return FileContext.getFileContext(fs.getUri(), fs.getConf());
  }

  /** The contract of the file system. */
  AbstractFSContract contract(Configuration conf) {
    for (String promise : PROMISES) {
      conf.setBoolean(ContractOptions.FS_CONTRACT_KEY + promise, true);
    }
    return new AbstractFSContract(conf) {
      @Override
      public FileSystem getTestFileSystem() {
        return fs;
      }

      @Override
      public String getScheme() {
        return fs.getScheme();
      }

      @Override
      public org.apache.hadoop.fs.Path getTestPath() {
        return new org.apache.hadoop.fs.Path("/test");
      }
    };
  }

  @Override
  public void close() throws IOException {
    fs.close();
    cluster.close();
  }
}
