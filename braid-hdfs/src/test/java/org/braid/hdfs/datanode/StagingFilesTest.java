package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.braid.hdfs.client.BraidFileSystem;
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
    try (StagingFiles files = new StagingFiles(URI.create("hdfs://127.0.0.1:1"), conf)) {
      assertEquals(DistributedFileSystem.class, files.get().getClass());
    }
  }
}
