package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.BraidPlacementPolicy;
import org.braid.hdfs.testkit.embedded.DeadNodes;
import org.braid.hdfs.testkit.embedded.EmbeddedLocks;
import org.braid.testing.Await;

/** Two NameNodes with Braid that share six DataNodes in three racks. */
final class FederatedFixture implements AutoCloseable {
  static final int BLOCK = 8192;
  static final int NODES = 6;

  final MiniDFSCluster hdfs;

  /**
   * Starts the cluster.
   *
   * @param properties further properties of all daemons
   */
  FederatedFixture(File directory, Map<String, String> properties) throws IOException {
    Configuration conf = configuration();
    properties.forEach(conf::set);
    String[] racks = {"/r0", "/r1", "/r2", "/r0", "/r1", "/r2"};
    hdfs =
        new MiniDFSCluster.Builder(conf, directory)
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(2))
            .numDataNodes(NODES)
            .racks(racks)
            .build();
    hdfs.waitActive();
  }

  /** Settings of daemons with Braid that soon notice what happens. */
  static Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.blocksize", BLOCK);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 512);
    conf.set("dfs.namenode.plugins", BraidNameNodePlugin.class.getName());
    conf.set("dfs.datanode.plugins", BraidDataNodePlugin.class.getName());
    conf.set("dfs.block.replicator.classname", BraidPlacementPolicy.class.getName());
    conf.setBoolean("dfs.datanode.block-pinning.enabled", true);
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 1000);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.stale.datanode.interval", 3000);
    conf.setLong("dfs.client.retry.window.base", 30);
    EmbeddedLocks.configure(conf);
    return conf;
  }

  DistributedFileSystem fs(int nameNode) throws IOException {
    return hdfs.getFileSystem(nameNode);
  }

  /** The name service of a NameNode. */
  String service(int nameNode) {
    Configuration conf = hdfs.getConfiguration(nameNode);
    return conf.getStringCollection("dfs.nameservices").stream()
        .filter(
            name ->
                conf.get("dfs.namenode.rpc-address." + name, "")
                    .endsWith(":" + hdfs.getNameNodePort(nameNode)))
        .findFirst()
        .orElseThrow();
  }

  void write(int nameNode, String path, byte[] content) throws IOException {
    try (FSDataOutputStream out = fs(nameNode).create(new Path(path), (short) 3)) {
      out.write(content);
    }
    awaitReplicas(nameNode, path, 3);
  }

  void awaitReplicas(int nameNode, String path, int count) throws IOException {
    Await.until(
        count + " replicas of each block",
        () -> {
          for (BlockLocation block : locations(nameNode, path)) {
            if (block.getNames().length != count) {
              return false;
            }
          }
          return true;
        });
  }

  private List<BlockLocation> locations(int nameNode, String path) throws IOException {
    DistributedFileSystem fs = fs(nameNode);
    Path file = new Path(path);
    return List.of(fs.getFileBlockLocations(file, 0, fs.getFileStatus(file).getLen()));
  }

  /** The ids of a file's blocks. */
  List<Long> ids(int nameNode, String path) throws IOException {
    return fs(nameNode).getClient().getLocatedBlocks(path, 0).getLocatedBlocks().stream()
        .map(block -> block.getBlock().getBlockId())
        .toList();
  }

  /**
   * A node that has a block of a converted file of each NameNode.
   *
   * @param paths a file of each
   */
  int sharedNode(String... paths) throws IOException {
    Set<String> shared = null;
    for (int i = 0; i < paths.length; i++) {
      awaitReplicas(i, paths[i], 1);
      Set<String> own = new HashSet<>();
      for (BlockLocation block : locations(i, paths[i])) {
        own.addAll(Arrays.asList(block.getNames()));
      }
      if (shared == null) {
        shared = own;
      } else {
        shared.retainAll(own);
      }
    }
    for (int node = 0; node < NODES; node++) {
      if (shared != null
          && shared.contains(hdfs.getDataNodes().get(node).getDatanodeId().getXferAddr())) {
        return node;
      }
    }
    throw new AssertionError("no node has blocks of all files");
  }

  /** Has all NameNodes call the node dead that was stopped. */
  void awaitDead() throws IOException {
    Set<String> running = new HashSet<>();
    hdfs.getDataNodes().forEach(node -> running.add(node.getDatanodeUuid()));
    for (int i = 0; i < hdfs.getNumNameNodes(); i++) {
      for (DatanodeInfo known : fs(i).getDataNodeStats(DatanodeReportType.ALL)) {
        String uuid = known.getDatanodeUuid();
        if (!running.contains(uuid)) {
          NameNode nameNode = hdfs.getNameNode(i);
          Await.until("a node to be given up", () -> DeadNodes.giveUp(nameNode, uuid));
        }
      }
      assertEquals(1, fs(i).getDataNodeStats(DatanodeReportType.DEAD).length);
    }
  }

  /** Starts one more NameNode, and tells the DataNodes of it; returns its number. */
  int addNameNode() throws IOException {
    return addNameNode(new Configuration(hdfs.getConfiguration(0)));
  }

  /** The same without Braid in the NameNode; the DataNodes keep their plugin. */
  int addPlainNameNode() throws IOException {
    Configuration conf = new Configuration(hdfs.getConfiguration(0));
    conf.unset("dfs.namenode.plugins");
    conf.unset("dfs.block.replicator.classname");
    return addNameNode(conf);
  }

  private int addNameNode(Configuration conf) throws IOException {
    int number = hdfs.getNumNameNodes();
    hdfs.addNameNode(conf, 0);
    hdfs.getDataNodes().forEach(node -> node.setConf(conf));
    hdfs.waitActive(number);
    return number;
  }

  Cluster cluster(int nameNode) throws IOException {
    String uri = "hdfs://localhost:" + hdfs.getNameNodePort(nameNode);
    return Braid.connect(new Connection(Optional.of(uri), List.of(), Map.of()));
  }

  /** Braid's client of a NameNode. */
  FileSystem braid(int nameNode) throws IOException {
    Configuration conf = new Configuration(hdfs.getConfiguration(nameNode));
    conf.set("fs.hdfs.impl", BraidFileSystem.class.getName());
    return FileSystem.newInstance(hdfs.getURI(nameNode), conf);
  }

  void convert(int nameNode, String path) throws IOException {
    try (Cluster cluster = cluster(nameNode)) {
      assertEquals(List.of(), cluster.convert(request(path)).skipped());
    }
  }

  /** A conversion of files to rs-3-2. */
  static ConvertRequest request(String path) {
    return new ConvertRequest(
        List.of(path),
        "rs-3-2",
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        1,
        ConvertRequest.Method.DEFAULT,
        2,
        2048,
        7,
        Progress.SILENT);
  }

  void repair(int nameNode) throws IOException {
    try (Cluster cluster = cluster(nameNode)) {
      assertEquals(
          List.of(),
          cluster
              .repair(new RepairRequest("/", "chain", 2, 2048, 11, Progress.SILENT))
              .unrepairable());
    }
  }

  boolean healthy(int nameNode) throws IOException {
    try (Cluster cluster = cluster(nameNode)) {
      FsckReport report = cluster.fsck("/");
      return report.files().stream().allMatch(file -> file.findings().isEmpty());
    }
  }

  @Override
  public void close() {
    hdfs.shutdown();
  }
}
