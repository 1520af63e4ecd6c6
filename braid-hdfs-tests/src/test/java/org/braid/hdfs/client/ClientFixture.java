package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.braid.code.Codes;
import org.braid.hdfs.client.degraded.DegradedSettings;
import org.braid.hdfs.testing.StripeFixture;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Await;

/** An embedded cluster with converted files and clients that read them. */
final class ClientFixture implements Closeable {
  static final int BLOCK = 64 << 10;
  static final int RACKS = 3;
  static final int NODES = 7;
  static final String CODE = "rs-3-2";

  final EmbeddedCluster cluster;
  final DistributedFileSystem plain;
  final StripeFixture stripes;

  ClientFixture(Path directory, Map<String, String> properties) throws IOException {
    this(directory, properties, CODE);
  }

  ClientFixture(Path directory, Map<String, String> properties, String code) throws IOException {
    cluster =
        EmbeddedCluster.start(new EmbeddedSettings(RACKS, NODES, BLOCK, directory, properties));
    plain = cluster.fileSystem();
    stripes = new StripeFixture(cluster, plain, Codes.named(code), BLOCK);
  }

  static byte[] content(Random random, int bytes) {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    return content;
  }

  /** What a program configures to read through lost blocks, with small reads ahead. */
  Configuration configuration(Map<String, String> properties) {
    Configuration conf = cluster.configuration();
    conf.set("fs.hdfs.impl", BraidFileSystem.class.getName());
    conf.set("fs.AbstractFileSystem.hdfs.impl", BraidAbstractFileSystem.class.getName());
    conf.set(DegradedSettings.SLICE, "4k");
    conf.set(DegradedSettings.FIRST_READ, "5000");
    conf.set(DegradedSettings.READ_AHEAD, "20000");
    // The stock client's patience, shortened: 3 failures and windows of 3 seconds.
    conf.set("dfs.client.max.block.acquire.failures", "1");
    conf.set("dfs.client.retry.window.base", "10");
    properties.forEach(conf::set);
    return conf;
  }

  BraidFileSystem client(Map<String, String> properties) throws IOException {
    Configuration conf = configuration(properties);
    return (BraidFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  BraidFileSystem client() throws IOException {
    return client(Map.of());
  }

  void stop(List<Integer> nodes) {
    nodes.forEach(cluster::stopNode);
  }

  void awaitDead(List<Integer> nodes) throws IOException {
    for (int node : nodes) {
      cluster.awaitDead(node);
    }
  }

  /** Starts all nodes that are stopped. */
  void heal() throws IOException {
    for (int i = 0; i < cluster.nodes(); i++) {
      if (!cluster.runs(i)) {
        cluster.startNode(i);
      }
    }
    cluster.awaitNodes();
    // A node that was not missed counts as registered all along, at its old port.
    for (int i = 0; i < cluster.nodes(); i++) {
      awaitPort(i);
    }
    // One that was missed holds nothing until it has reported its blocks.
    Await.until("all blocks to be reported", () -> allReported(new org.apache.hadoop.fs.Path("/")));
  }

  private void awaitPort(int node) {
    int port = cluster.dataNode(node).getXferPort();
    String uuid = cluster.uuid(node);
    DatanodeManager known =
        cluster.nameNode().getNamesystem().getBlockManager().getDatanodeManager();
    Await.until(
        "node " + node + " to register again",
        () -> known.getDatanode(uuid) != null && known.getDatanode(uuid).getXferPort() == port);
  }

  /** By what the NameNode has: clients are told of no bad copy of a block that can be rebuilt. */
  private boolean allReported(org.apache.hadoop.fs.Path directory) throws IOException {
    BlockManager blocks = cluster.nameNode().getNamesystem().getBlockManager();
    RemoteIterator<LocatedFileStatus> files = plain.listFiles(directory, true);
    while (files.hasNext()) {
      HdfsLocatedFileStatus file = (HdfsLocatedFileStatus) files.next();
      for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
        BlockInfo stored = blocks.getStoredBlock(block.getBlock().getLocalBlock());
        if (stored == null || stored.numNodes() == 0) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    plain.close();
    cluster.close();
  }
}
