package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
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
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two NameNodes that share their DataNodes: each block pool has blocks of the same ids, and each
 * NameNode's coordinator works on its own.
 */
final class FederationTest {
  private static final Random RANDOM = Seeds.random(FederationTest.class);
  private static final int BLOCK = 8192;
  private static final int NODES = 6;
  private static final String FILE = "/d/f";

  @TempDir private File directory;

  private static Configuration configuration() {
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
    return conf;
  }

  @Test
  void eachNameNodeHasItsFilesConvertedReadAndRepaired() throws Exception {
    Configuration conf = configuration();
    String[] racks = {"/r0", "/r1", "/r2", "/r0", "/r1", "/r2"};
    try (MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(conf, directory)
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(2))
            .numDataNodes(NODES)
            .racks(racks)
            .build()) {
      hdfs.waitActive();
      List<byte[]> contents = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        byte[] content = new byte[9 * BLOCK + 77 * i];
        RANDOM.nextBytes(content);
        contents.add(content);
        write(hdfs.getFileSystem(i), content);
      }
      assertEquals(ids(hdfs, 0).subList(0, 9), ids(hdfs, 1).subList(0, 9), "the same block ids");
      for (int i = 0; i < 2; i++) {
        convert(hdfs, i);
        assertArrayEquals(contents.get(i), ClusterFixture.read(hdfs.getFileSystem(i), FILE));
      }

      hdfs.stopDataNode(sharedNode(hdfs));
      for (int i = 0; i < 2; i++) {
        DistributedFileSystem fs = hdfs.getFileSystem(i);
        Await.until("a node is dead", () -> fs.getDataNodeStats().length == NODES - 1 || dead(fs));
        try (FileSystem braid = braid(hdfs, i)) {
          assertArrayEquals(contents.get(i), ClusterFixture.read(braid, FILE));
        }
      }
      repair(hdfs, 0);
      assertArrayEquals(contents.get(0), ClusterFixture.read(hdfs.getFileSystem(0), FILE));
      assertFalse(healthy(hdfs, 1), "the other pool was repaired, too");
      repair(hdfs, 1);
      assertArrayEquals(contents.get(1), ClusterFixture.read(hdfs.getFileSystem(1), FILE));
      for (int i = 0; i < 2; i++) {
        assertTrue(healthy(hdfs, i));
      }
    }
  }

  private static boolean dead(DistributedFileSystem fs) throws IOException {
    return fs.getDataNodeStats(
                org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType.DEAD)
            .length
        == 1;
  }

  private static void write(DistributedFileSystem fs, byte[] content) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(FILE), (short) 3)) {
      out.write(content);
    }
    awaitReplicas(fs, 3);
  }

  private static void awaitReplicas(DistributedFileSystem fs, int count) throws IOException {
    Await.until(
        count + " replicas of each block",
        () -> {
          for (BlockLocation block : locations(fs)) {
            if (block.getNames().length != count) {
              return false;
            }
          }
          return true;
        });
  }

  private static List<BlockLocation> locations(DistributedFileSystem fs) throws IOException {
    Path file = new Path(FILE);
    return List.of(fs.getFileBlockLocations(file, 0, fs.getFileStatus(file).getLen()));
  }

  private static List<Long> ids(MiniDFSCluster hdfs, int i) throws IOException {
    return hdfs.getFileSystem(i).getClient().getLocatedBlocks(FILE, 0).getLocatedBlocks().stream()
        .map(block -> block.getBlock().getBlockId())
        .toList();
  }

  /** A node that has a block of both files. */
  private static int sharedNode(MiniDFSCluster hdfs) throws IOException {
    Set<String> shared = null;
    for (int i = 0; i < 2; i++) {
      DistributedFileSystem fs = hdfs.getFileSystem(i);
      awaitReplicas(fs, 1);
      Set<String> own = new HashSet<>();
      for (BlockLocation block : locations(fs)) {
        own.addAll(Arrays.asList(block.getNames()));
      }
      if (shared == null) {
        shared = own;
      } else {
        shared.retainAll(own);
      }
    }
    for (int node = 0; node < NODES; node++) {
      if (shared.contains(hdfs.getDataNodes().get(node).getDatanodeId().getXferAddr())) {
        return node;
      }
    }
    throw new AssertionError("no node has blocks of both files");
  }

  private static Cluster cluster(MiniDFSCluster hdfs, int i) throws IOException {
    String uri = "hdfs://localhost:" + hdfs.getNameNodePort(i);
    return Braid.connect(new Connection(Optional.of(uri), List.of(), Map.of()));
  }

  private static FileSystem braid(MiniDFSCluster hdfs, int i) throws IOException {
    Configuration conf = new Configuration(hdfs.getConfiguration(i));
    conf.set("fs.hdfs.impl", BraidFileSystem.class.getName());
    return FileSystem.newInstance(hdfs.getURI(i), conf);
  }

  private static void convert(MiniDFSCluster hdfs, int i) throws IOException {
    try (Cluster cluster = cluster(hdfs, i)) {
      assertEquals(
          List.of(),
          cluster
              .convert(
                  new ConvertRequest(
                      List.of(FILE),
                      "rs-3-2",
                      OptionalInt.empty(),
                      OptionalInt.empty(),
                      Optional.empty(),
                      1,
                      ConvertRequest.Method.DEFAULT,
                      2,
                      2048,
                      7,
                      Progress.SILENT))
              .skipped());
    }
  }

  private static void repair(MiniDFSCluster hdfs, int i) throws IOException {
    try (Cluster cluster = cluster(hdfs, i)) {
      assertEquals(
          List.of(),
          cluster
              .repair(new RepairRequest("/", "chain", 2, 2048, 11, Progress.SILENT))
              .unrepairable());
    }
  }

  private static boolean healthy(MiniDFSCluster hdfs, int i) throws IOException {
    try (Cluster cluster = cluster(hdfs, i)) {
      FsckReport report = cluster.fsck("/");
      return report.files().stream().allMatch(file -> file.findings().isEmpty());
    }
  }
}
