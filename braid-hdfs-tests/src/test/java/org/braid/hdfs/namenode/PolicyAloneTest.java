package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode places blocks by Braid's policy, and its plugin has not started. */
final class PolicyAloneTest {
  private static final int BLOCK = 4096;

  @TempDir static Path directory;

  /** Of a block of a stripe HDFS may choose any, also the only one that is really there. */
  @Test
  void nothingIsDroppedDownToOneReplica() throws Exception {
    EmbeddedSettings settings =
        new EmbeddedSettings(3, 4, BLOCK, directory, Map.of(BraidNameNodePlugin.PLUGINS_KEY, ""));
    try (EmbeddedCluster cluster = EmbeddedCluster.start(settings);
        DistributedFileSystem fs = cluster.fileSystem()) {
      var path = new org.apache.hadoop.fs.Path("/f");
      try (FSDataOutputStream out = fs.create(path, true, 4096, (short) 4, BLOCK)) {
        out.write(new byte[100]);
      }
      Await.untilEqual("replicas", 4L, () -> staying(cluster));
      fs.setReplication(path, (short) 3);
      assertEquals(3, staying(cluster), "HDFS's own policy");
      fs.setReplication(path, (short) 1);
      assertEquals(3, staying(cluster));
    }
  }

  private static long staying(EmbeddedCluster cluster) throws Exception {
    BlockInfo block =
        cluster.nameNode().getNamesystem().getFSDirectory().getINode("/f").asFile().getLastBlock();
    return ReplicaView.of(cluster.nameNode().getNamesystem().getBlockManager(), block).stream()
        .filter(replica -> !replica.excess())
        .count();
  }
}
