package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.datanode.peers.PerConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client by which a DataNode writes parity. */
final class StagingFilesTest {
  /** All hosts of a cluster often have one configuration. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        ViewFileSystemOverloadScheme.class,
        ViewDistributedFileSystem.class,
        BraidFileSystem.class
      })
  void isHdfssOwnWhateverProgramsHave(Class<? extends FileSystem> configured) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.hdfs.impl", configured.getName());
    conf.set("fs.viewfs.mounttable.127.0.0.1.link./mounted", "hdfs://127.0.0.1:2/");
    URI nameNode = URI.create("hdfs://127.0.0.1:1");
    try (StagingFiles files = new StagingFiles(() -> conf, unused -> nameNode);
        PerConfiguration.Held<DistributedFileSystem> held = files.hold()) {
      assertEquals(DistributedFileSystem.class, held.one().getClass());
    }
  }

  /** As {@code hdfs dfsadmin -refreshNamenodes} gives the DataNode another configuration. */
  @Test
  void followsTheDataNodeToOtherNameNodes() throws IOException {
    AtomicReference<Configuration> conf = new AtomicReference<>(new HdfsConfiguration());
    conf.get().set("fs.defaultFS", "hdfs://127.0.0.1:1");
    try (StagingFiles files = new StagingFiles(conf::get, FileSystem::getDefaultUri)) {
      assertEquals(URI.create("hdfs://127.0.0.1:1"), uri(files));
      Configuration told = new HdfsConfiguration();
      told.set("fs.defaultFS", "hdfs://added");
      told.set("dfs.nameservices", "added");
      told.set("dfs.ha.namenodes.added", "a,b");
      told.set("dfs.namenode.rpc-address.added.a", "127.0.0.1:1");
      told.set("dfs.namenode.rpc-address.added.b", "127.0.0.1:2");
      told.set(
          "dfs.client.failover.proxy.provider.added",
          ConfiguredFailoverProxyProvider.class.getName());
      conf.set(told);
      assertEquals(URI.create("hdfs://added"), uri(files));
    }
  }

  private static URI uri(StagingFiles files) throws IOException {
    try (PerConfiguration.Held<DistributedFileSystem> held = files.hold()) {
      return held.one().getUri();
    }
  }
}
