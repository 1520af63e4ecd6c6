package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.crypto.key.JavaKeyStoreProvider;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.braid.hdfs.namenode.files.FileView;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilesTest {
  @TempDir static Path directory;
  private static NameNodeFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    fixture =
        NameNodeFixture.start(
            directory,
            3,
            3,
            Map.of(
                "hadoop.security.key.provider.path",
                JavaKeyStoreProvider.SCHEME_NAME + "://file" + directory.resolve("keys.jks"),
                "dfs.namenode.ec.system.default.policy",
                "XOR-2-1-1024k"));
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static void create(String path, int bytes) throws IOException {
    try (FSDataOutputStream out = fixture.fs.create(path(path))) {
      out.write(new byte[bytes]);
    }
  }

  @Test
  void describesAFile() throws Exception {
    FileProto written = fixture.write("/described", 3, 3);
    assertEquals("/described", written.getPath());
    assertEquals(3 * NameNodeFixture.BLOCK - 100, written.getLength());
    assertEquals(NameNodeFixture.BLOCK, written.getBlockSize());
    assertEquals(3, written.getReplication());
    assertEquals(List.of(), written.getObstaclesList());
    assertEquals(NameNodeFixture.BLOCK - 100, written.getBlocks(2).getBlock().getLength());
    assertEquals(3, written.getBlocks(0).getExpected());
    assertTrue(written.getBlocks(0).getReplicasList().stream().allMatch(r -> r.getLive()));
  }

  @Test
  void findsAFileByItsNumberWhereverItStands() throws Exception {
    fixture.fs.mkdirs(path("/numbered"));
    create("/numbered/f", 10);
    String number = "/.reserved/.inodes/" + fixture.file("/numbered/f").getInode();
    assertEquals("/numbered/f", fixture.file(number).getPath());
    fixture.fs.rename(path("/numbered/f"), path("/numbered/g"));
    assertEquals("/numbered/g", fixture.file(number).getPath());
    fixture.fs.allowSnapshot(path("/numbered"));
    fixture.fs.createSnapshot(path("/numbered"), "s");
    fixture.fs.delete(path("/numbered/g"), false);
    create("/numbered/g", 20);
    assertThrows(FileNotFoundException.class, () -> fixture.file(number));
  }

  @Test
  void pagesThroughDirectories() throws Exception {
    TreeSet<String> expected = new TreeSet<>();
    for (String file : List.of("a", "a.b/x", "a0", "b/c/d", "b/c/e", "b/c.d", "z")) {
      create("/pages/" + file, 0);
      expected.add("/pages/" + file);
    }
    fixture.fs.mkdirs(path("/pages/empty/er"));
    for (int page = 1; page <= 8; page++) {
      assertEquals(expected, fixture.list("/pages", page).keySet(), "pages of " + page);
    }
    fixture.fs.mkdirs(path(BraidPaths.STRIPES + "/00"));
    create(BraidPaths.STRIPES + "/00/hidden", 0);
    assertTrue(fixture.list("/", 3).keySet().stream().noneMatch(p -> p.startsWith("/.braid")));
    assertTrue(fixture.list("/", 3).keySet().containsAll(expected));
    assertTrue(fixture.list(BraidPaths.STRIPES, 3).isEmpty());
  }

  @Test
  void refusesPathsThatAreNoFiles() {
    assertThrows(FileNotFoundException.class, () -> fixture.list("/nowhere", 1));
    IOException relative = assertThrows(IOException.class, () -> fixture.list("relative", 1));
    assertTrue(
        String.valueOf(relative.getMessage()).contains("is not absolute"), relative.getMessage());
    IOException none =
        assertThrows(
            IOException.class,
            () ->
                Rpc.call(
                    () ->
                        fixture.stub.files(
                            null,
                            FilesRequestProto.newBuilder().setPath("/").setLimit(0).build())));
    assertTrue(String.valueOf(none.getMessage()).contains("needed is 1"), none.getMessage());
  }

  @Test
  void namesWhatIsInTheWay() throws Exception {
    create("/empty", 0);
    assertObstacles("/empty", FileView.EMPTY);

    try (FSDataOutputStream out = fixture.fs.create(path("/open"))) {
      out.write(new byte[100]);
      out.hflush();
      assertObstacles("/open", FileView.UNDER_CONSTRUCTION, FileView.INCOMPLETE_BLOCK);
    }
    assertObstacles("/open");

    fixture.fs.mkdirs(path("/striped"));
    fixture.fs.setErasureCodingPolicy(path("/striped"), "XOR-2-1-1024k");
    try (FSDataOutputStream out =
        fixture.fs.create(path("/striped/f"), true, 4096, (short) 1, 1L << 20)) {
      out.write(new byte[100]);
    }
    assertTrue(fixture.file("/striped/f").getObstaclesList().contains(FileView.STRIPED));

    fixture.fs.mkdirs(path("/memory"));
    fixture.fs.setStoragePolicy(path("/memory"), "LAZY_PERSIST");
    create("/memory/f", 100);
    assertObstacles("/memory/f", FileView.LAZY_PERSIST);
  }

  @Test
  void namesSnapshotsThatHoldReplicas() throws Exception {
    fixture.fs.mkdirs(path("/snap"));
    fixture.fs.allowSnapshot(path("/snap"));
    fixture.write("/snap/before", 1, 3);
    fixture.fs.createSnapshot(path("/snap"), "s");
    fixture.write("/snap/after", 1, 3);
    fixture.write("/snap/low", 1, 1);
    assertObstacles("/snap/before", FileView.IN_SNAPSHOT);
    assertObstacles("/snap/after");
    assertObstacles("/snap/low");
    // Changed since: the snapshot's state of the file still counts.
    fixture.fs.setReplication(path("/snap/before"), (short) 2);
    assertObstacles("/snap/before", FileView.IN_SNAPSHOT);
    IOException refusal =
        assertThrows(IOException.class, () -> fixture.list("/snap/.snapshot/s", 9));
    assertTrue(
        String.valueOf(refusal.getMessage()).contains("is in a snapshot"), refusal.getMessage());
    fixture.fs.deleteSnapshot(path("/snap"), "s");
    assertObstacles("/snap/before");
  }

  @Test
  void aZoneIsNoObstacleButNamedWithTheReaders() throws Exception {
    var provider = fixture.cluster.nameNode().getNamesystem().getProvider();
    var options =
        new org.apache.hadoop.crypto.key.KeyProvider.Options(fixture.cluster.configuration());
    provider.createKey("key", options);
    provider.flush();
    fixture.fs.mkdirs(path("/zone"));
    fixture.fs.createEncryptionZone(path("/zone"), "key");
    create("/zone/f", 100);
    assertObstacles("/zone/f");
    create("/f", 100);
    assertNotEquals(fixture.file("/f").getReaders(), fixture.file("/zone/f").getReaders());
  }

  @Test
  void describesTheCluster() throws Exception {
    var cluster =
        Rpc.call(() -> fixture.stub.cluster(null, ClusterRequestProto.getDefaultInstance()));
    assertEquals(3, cluster.getDatanodesCount());
    assertEquals(3, cluster.getDatanodesList().stream().map(d -> d.getRack()).distinct().count());
    assertTrue(
        cluster.getDatanodesList().stream()
            .allMatch(d -> d.getLive() && d.getInService() && d.getHeartbeatAgeMillis() < 20_000));
    assertTrue(!cluster.getSafeMode());
  }

  private static DatanodeProto node(String uuid) throws IOException {
    return Rpc.call(() -> fixture.stub.cluster(null, ClusterRequestProto.getDefaultInstance()))
        .getDatanodesList()
        .stream()
        .filter(node -> node.getUuid().equals(uuid))
        .findFirst()
        .orElseThrow();
  }

  /** Until it reports, HDFS knows of no block of a node that it has taken for dead. */
  @Test
  void aNodeThatIsBackOwesAReport() throws Exception {
    String uuid = fixture.cluster.uuid(0);
    Await.until("its first report", () -> !node(uuid).hasUnreportedMillis());
    fixture.cluster.stopNode(0);
    fixture.cluster.startNode(
        0,
        Map.of(
            "dfs.blockreport.initialDelay", "2000000s",
            "dfs.blockreport.intervalMsec", "2100000000"));
    try {
      Await.until("it to owe a report", () -> node(uuid).hasUnreportedMillis());
      fixture
          .cluster
          .dataNode(0)
          .triggerBlockReport(new BlockReportOptions.Factory().setIncremental(false).build());
      Await.until("its report", () -> !node(uuid).hasUnreportedMillis());
    } finally {
      fixture.cluster.stopNode(0);
      fixture.cluster.startNode(0);
      fixture.cluster.awaitNodes();
    }
  }

  /** One of very many blocks is: others wait for the lock no longer for it. */
  @Test
  void aFileIsDescribedInPartsAsAtOnce() throws Exception {
    fixture.write("/parts", 2, 3);
    NameNodeHost host = fixture.plugin().host();
    INodeFile file = host.namesystem().getFSDirectory().getINode("/parts").asFile();
    StoredFile whole = host.reading("test", () -> FileView.describe(host, file, "/parts"));
    assertEquals(2, whole.blocks().size());
    assertEquals(Optional.of(whole), FileView.describeInParts(host, file, "/parts"));
    assertTrue(fixture.fs.delete(path("/parts"), false));
    assertEquals(Optional.empty(), FileView.describeInParts(host, file, "/parts"));
  }

  private static void assertObstacles(String path, String... expected) throws Exception {
    Await.until(
        path + " to be complete or open",
        () ->
            List.of(expected).contains(FileView.INCOMPLETE_BLOCK)
                || fixture.file(path).getBlocksList().stream().allMatch(b -> b.getComplete()));
    assertEquals(List.of(expected), fixture.file(path).getObstaclesList());
  }
}
