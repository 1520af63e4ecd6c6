package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.ipc.StandbyException;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that read from an observer, a NameNode that follows the active one. */
final class ObserverTest {
  private static final Random RANDOM = Seeds.random(ObserverTest.class);
  private static final int OBSERVER = 2;
  private static final int BLOCK = FederatedFixture.BLOCK;

  /** What a client has to know of the NameNodes. */
  private static final Pattern NAMES =
      Pattern.compile(
          "dfs\\.(nameservices|ha\\.namenodes|client\\.failover|namenode\\.rpc-address).*");

  @TempDir private static File directory;

  private static MiniQJMHACluster journaled;
  private static MiniDFSCluster hdfs;
  private static Configuration conf;

  @BeforeAll
  static void start() throws Exception {
    conf = FederatedFixture.configuration();
    conf.setBoolean("dfs.namenode.state.context.enabled", true);
    conf.setBoolean("dfs.ha.tail-edits.in-progress", true);
    conf.set("dfs.ha.tail-edits.period", "100ms");
    conf.setInt("dfs.client.failover.sleep.base.millis", 50);
    // Silent nodes stay alive to HDFS for 20 s.
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 5000);
    MiniQJMHACluster.Builder builder =
        new MiniQJMHACluster.Builder(conf, new File(directory, "hdfs"))
            .baseDir(new File(directory, "journal").getAbsolutePath())
            .setNumNameNodes(3);
    builder
        .getDfsBuilder()
        .numDataNodes(FederatedFixture.NODES)
        .racks(new String[] {"/r0", "/r1", "/r2", "/r0", "/r1", "/r2"});
    journaled = builder.build();
    hdfs = journaled.getDfsCluster();
    hdfs.transitionToActive(0);
    hdfs.waitActive(0);
    hdfs.transitionToObserver(OBSERVER);
    String service = conf.get("dfs.nameservices");
    conf.set("fs.defaultFS", "hdfs://" + service);
    conf.set(
        "dfs.client.failover.proxy.provider." + service, ObserverReadProxyProvider.class.getName());
  }

  @AfterAll
  static void stop() throws Exception {
    if (journaled != null) {
      journaled.shutdown();
    }
  }

  private static DistributedFileSystem client(boolean braid) throws IOException {
    Configuration own = new Configuration(conf);
    // The observer may notice a moment later than the active NameNode that a node is silent.
    own.setInt("dfs.client.retry.window.base", 1500);
    if (braid) {
      own.set("fs.hdfs.impl", BraidFileSystem.class.getName());
    }
    return (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(own), own);
  }

  private static Cluster cluster() throws IOException {
    Map<String, String> properties = new TreeMap<>();
    for (Map.Entry<String, String> entry : conf) {
      if (NAMES.matcher(entry.getKey()).matches()) {
        properties.put(entry.getKey(), entry.getValue());
      }
    }
    return Braid.connect(
        new Connection(Optional.of(conf.get("fs.defaultFS")), List.of(), properties));
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    RANDOM.nextBytes(content);
    return content;
  }

  private static void write(DistributedFileSystem fs, String path, byte[] content)
      throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), (short) 3)) {
      out.write(content);
    }
    Await.until(
        "three replicas of each block",
        () -> {
          Path file = new Path(path);
          for (BlockLocation block :
              fs.getFileBlockLocations(file, 0, fs.getFileStatus(file).getLen())) {
            if (block.getNames().length != 3) {
              return false;
            }
          }
          return true;
        });
  }

  private static void convert(String path) throws IOException {
    try (Cluster cluster = cluster()) {
      assertEquals(List.of(), cluster.convert(FederatedFixture.request(path)).skipped());
    }
  }

  /** The number of the node that has the first block of a file. */
  private static int holder(DistributedFileSystem fs, String path) throws IOException {
    fs.msync();
    String[] names =
        Await.until(
            "one replica of the first block",
            () -> fs.getFileBlockLocations(new Path(path), 0, 1)[0].getNames(),
            found -> found.length == 1);
    for (int i = 0; i < hdfs.getDataNodes().size(); i++) {
      if (hdfs.getDataNodes().get(i).getDatanodeId().getXferAddr().equals(names[0])) {
        return i;
      }
    }
    throw new AssertionError("no node is " + names[0]);
  }

  private static void assertObserved(DistributedFileSystem fs) throws IOException {
    assertTrue(HATestUtil.isSentToAnyOfNameNodes(fs, hdfs, OBSERVER), "the observer was not asked");
  }

  private static void awaitSuspect() throws Exception {
    try (NameNodeCalls calls =
        new NameNodeCalls(new NameNodeLink(FileSystem.getDefaultUri(conf), conf))) {
      Await.until(
          "a node to be suspect",
          () ->
              calls.cluster().getDatanodesList().stream()
                  .map(StatusCodec::of)
                  .anyMatch(Datanode::suspect));
    }
  }

  /** Content and locations come from the observer, stripes from the active NameNode. */
  @Test
  void nothingStaleIsReadAtAnyTimeOfAFilesLife() throws Exception {
    String path = "/life/f";
    byte[] content = random(9 * BLOCK + 77);
    try (DistributedFileSystem plain = client(false);
        DistributedFileSystem braid = client(true)) {
      List<DistributedFileSystem> both = List.of(plain, braid);
      write(plain, path, content);
      for (DistributedFileSystem fs : both) {
        fs.msync();
        assertArrayEquals(content, ClusterFixture.read(fs, path));
        assertObserved(fs);
      }
      convert(path);
      for (DistributedFileSystem fs : both) {
        assertArrayEquals(content, ClusterFixture.read(fs, path), "right after conversion");
      }

      int node = holder(plain, path);
      DataNodeProperties lost = hdfs.stopDataNode(node);
      assertArrayEquals(content, ClusterFixture.read(braid, path), "right after a loss");
      try (Cluster cluster = cluster()) {
        Await.until(
            "the repair of what the node had",
            () ->
                cluster
                        .repair(new RepairRequest(path, "chain", 2, 2048, 11, Progress.SILENT))
                        .unrepairable()
                        .isEmpty()
                    && cluster.fsck(path).files().stream()
                        .allMatch(file -> file.findings().isEmpty()));
      }
      for (DistributedFileSystem fs : both) {
        assertArrayEquals(content, ClusterFixture.read(fs, path), "right after a repair");
      }
      assertTrue(hdfs.restartDataNode(lost, true));
      hdfs.waitActive(0);

      byte[] added = random(BLOCK + 9);
      try (FSDataOutputStream out = plain.append(new Path(path))) {
        out.write(added);
      }
      byte[] longer = Arrays.copyOf(content, content.length + added.length);
      System.arraycopy(added, 0, longer, content.length, added.length);
      braid.msync();
      for (DistributedFileSystem fs : both) {
        assertArrayEquals(longer, ClusterFixture.read(fs, path), "right after an append");
      }
      convert(path);
      for (DistributedFileSystem fs : both) {
        assertArrayEquals(longer, ClusterFixture.read(fs, path), "right after encoding it anew");
      }
      try (Cluster cluster = cluster()) {
        cluster.restore(path, Progress.SILENT);
      }
      for (DistributedFileSystem fs : both) {
        assertArrayEquals(longer, ClusterFixture.read(fs, path), "right after its restoration");
        assertObserved(fs);
      }
    }
  }

  /** Its index may be behind what a reader has seen already. */
  @Test
  void anObserverSaysNothingOfStripes() throws Exception {
    BraidNameNodePB stub = Rpc.nameNode(conf, hdfs.getNameNode(OBSERVER).getNameNodeAddress());
    try {
      StripesRequestProto request =
          StripesRequestProto.newBuilder().addBlockIds(1).setReadingPath("/f").build();
      assertThrows(StandbyException.class, () -> Rpc.call(() -> stub.stripes(null, request)));
    } finally {
      Rpc.stop(stub);
    }
  }

  /** An observer knows no coordinator: the active NameNode has the answer wait. */
  @Test
  void aClientWithoutBraidWaitsForALostBlockThroughAnObserver() throws Exception {
    String path = "/wait/f";
    byte[] content = random(6 * BLOCK);
    try (DistributedFileSystem plain = client(false)) {
      write(plain, path, content);
      convert(path);
      int node = holder(plain, path);
      try (WatchingCoordinator watch =
          new WatchingCoordinator(
                  ObserverTest::cluster, TimeUnit.HOURS.toMillis(1), RepairPolicy.CONFIGURED)
              .awaitWatching()) {
        DataNodeProperties lost = hdfs.stopDataNode(node);
        awaitSuspect();
        assertEquals(
            FederatedFixture.NODES,
            hdfs.getNamesystem(OBSERVER).getNumLiveDataNodes(),
            "HDFS gave the node up: this shows nothing");
        assertArrayEquals(content, ClusterFixture.read(plain, path));
        assertTrue(watch.end().demanded() > 0, "the answer did not wait");
        assertTrue(hdfs.restartDataNode(lost, true));
        hdfs.waitActive(0);
      }
    }
  }
}
