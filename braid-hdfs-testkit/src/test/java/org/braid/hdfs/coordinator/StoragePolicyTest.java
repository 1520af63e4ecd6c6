package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaCachingGetSpaceUsed;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport.StorageState;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.coordinator.HdfsMovers.Policy;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of stripes are on the types of storage that the storage policies of files want. */
@Timeout(180)
final class StoragePolicyTest {
  private static final Random RANDOM = Seeds.random(StoragePolicyTest.class);
  private static final int NODES = 12;
  private static final long ROOM = 4096 * ClusterFixture.BLOCK;

  private static ClusterFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    fixture =
        new ClusterFixture(
            6,
            NODES,
            Map.of(
                "dfs.datanode.data.dir",
                "[DISK]disk,[ARCHIVE]archive,[SSD]ssd",
                "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space",
                "0",
                // What blocks take, not what the machine's disk holds.
                "fs.getspaceused.classname",
                ReplicaCachingGetSpaceUsed.class.getName()));
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @AfterEach
  void clean() throws Exception {
    fixture.startAll();
    fixture.fs.delete(new Path("/d"), true);
    fixture.repair("/", "star");
    Await.until("no stripe to be left", () -> fixture.stripes().isEmpty());
  }

  /** Gives some nodes no room on storage of a type. */
  private static void room(StorageType type, IntPredicate nodes) throws IOException {
    for (int i = 0; i < NODES; i++) {
      for (StorageType each : List.of(StorageType.DISK, StorageType.ARCHIVE, StorageType.SSD)) {
        HdfsMovers.capacity(fixture.hdfs, i, each, each != type || nodes.test(i) ? ROOM : 0);
      }
    }
    var known = fixture.hdfs.nameNode().getNamesystem().getBlockManager().getDatanodeManager();
    Await.until(
        "all storage to be reported",
        () -> {
          for (int i = 0; i < NODES; i++) {
            for (var report : known.getDatanode(fixture.hdfs.uuid(i)).getStorageReports()) {
              boolean has = report.getStorage().getStorageType() != type || nodes.test(i);
              if (report.getCapacity() != (has ? ROOM : 0)) {
                return false;
              }
            }
          }
          return true;
        });
  }

  private static void write(String path, String policy, int stripes) throws IOException {
    fixture.fs.mkdirs(new Path("/d"));
    fixture.fs.setStoragePolicy(new Path("/d"), policy);
    fixture.write(path, stripes * 3 * ClusterFixture.BLOCK - 1000, 3, RANDOM);
  }

  /**
   * By block of all files below a path, the storages of its replicas as the NameNode lists them.
   */
  private static Map<String, List<String>> storages(String path) throws IOException {
    Map<String, List<String>> storages = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> files = fixture.fs.listFiles(new Path(path), true);
    while (files.hasNext()) {
      var file = (HdfsLocatedFileStatus) files.next();
      for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
        List<String> at = new ArrayList<>();
        for (int i = 0; i < block.getLocations().length; i++) {
          at.add(block.getStorageTypes()[i] + " " + block.getStorageIDs()[i]);
        }
        storages.put(file.getPath() + " " + block.getBlock().getBlockName(), at);
      }
    }
    return storages;
  }

  /** Waits until the surplus replicas of what was converted are deleted. */
  private static void settle(String path) throws IOException {
    fixture.assertConverted(path);
    Await.until(
        "one replica of each block of " + path,
        () -> storages(path).values().stream().allMatch(all -> all.size() == 1));
  }

  private static Set<String> types(String path) throws IOException {
    Set<String> types = new TreeSet<>();
    storages(path).values().forEach(all -> all.forEach(at -> types.add(at.replaceAll(" .*", ""))));
    return types;
  }

  private static void assertTypes(String type, String... paths) throws IOException {
    for (String path : paths) {
      assertEquals(Set.of(type), types(path), path);
    }
  }

  private static void assertMoverMovesNothing() throws Exception {
    Map<String, List<String>> before = storages("/");
    assertEquals(0, HdfsMovers.move(fixture.hdfs, Policy.HDFS, "/"));
    assertEquals(before, storages("/"));
  }

  private static void assertParityHas(String policy) throws IOException {
    RemoteIterator<LocatedFileStatus> files =
        fixture.fs.listFiles(new Path(BraidPaths.STRIPES), true);
    assertTrue(files.hasNext());
    while (files.hasNext()) {
      FileStatus file = files.next();
      assertEquals(policy, fixture.fs.getStoragePolicy(file.getPath()).getName());
    }
  }

  private static void restore(String path) throws IOException {
    try (Cluster cluster = fixture.braid()) {
      assertEquals(List.of(), cluster.restore(path, Progress.SILENT).skipped());
    }
    fixture.awaitReplicas(path, 3);
  }

  /** One rack has no archives. */
  @Test
  void coldFilesLiveOnArchives() throws Exception {
    IntPredicate archives = node -> node % 6 < 5;
    room(StorageType.ARCHIVE, archives);
    write("/d/f", "COLD", 6);
    assertTypes("ARCHIVE", "/d");
    fixture.convertAll("rs-3-2", "/d/f");
    settle("/d/f");
    assertTypes("ARCHIVE", "/d", BraidPaths.STRIPES);
    assertParityHas("COLD");
    assertMoverMovesNothing();

    fixture.hdfs.stopNode(fixture.heaviestNode());
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    settle("/d/f");
    fixture.assertClean("/");
    assertTypes("ARCHIVE", "/d", BraidPaths.STRIPES);
    assertMoverMovesNothing();
    fixture.assertReads("/d/f");

    restore("/d/f");
    assertTypes("ARCHIVE", "/d");
    assertEquals(Map.of(), storages(BraidPaths.STRIPES));
    assertMoverMovesNothing();
  }

  /** One replica under ONE_SSD is the fast one. */
  @Test
  void filesWithOneFastReplicaKeepThatOne() throws Exception {
    room(StorageType.SSD, node -> true);
    write("/d/f", "ONE_SSD", 20);
    assertEquals(Set.of("DISK", "SSD"), types("/d"));
    ConvertReport report = fixture.convertAll("rs-3-2", "/d/f");
    // The fast replicas of three blocks are seldom in three racks, 20 times in turn.
    assertTrue(report.relocatedBlocks() > 0);
    settle("/d/f");
    assertTypes("SSD", "/d", BraidPaths.STRIPES);
    assertMoverMovesNothing();

    fixture.hdfs.stopNode(fixture.heaviestNode());
    assertEquals(List.of(), fixture.repair("/", "ppr").unrepairable());
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/", "ppr").unrepairable());
    settle("/d/f");
    assertTypes("SSD", "/d", BraidPaths.STRIPES);

    restore("/d/f");
    for (List<String> replicas : storages("/d").values()) {
      assertEquals(1, replicas.stream().filter(at -> at.startsWith("SSD")).count());
    }
    assertMoverMovesNothing();
  }

  /** The policy has a fallback. */
  @Test
  void disksStandInForFastStorageThatIsMissing() throws Exception {
    room(StorageType.SSD, node -> node < 2);
    write("/d/f", "ONE_SSD", 2);
    fixture.convertAll("rs-3-2", "/d/f");
    settle("/d/f");
    fixture.assertClean("/");
    assertEquals(Set.of("DISK", "SSD"), types("/d"));
    fixture.assertReads("/d/f");
  }

  @Test
  void filesOfDifferentPoliciesShareNoStripe() throws Exception {
    room(StorageType.ARCHIVE, node -> true);
    fixture.fs.mkdirs(new Path("/d"));
    for (String policy : List.of("COLD", "HOT")) {
      fixture.fs.setStoragePolicy(new Path("/d"), policy);
      for (int i = 0; i < 3; i++) {
        String path = "/d/" + policy + i;
        fixture.write(path, ClusterFixture.BLOCK, 3, RANDOM);
        fixture.fs.setStoragePolicy(new Path(path), policy);
      }
    }
    fixture.fs.unsetStoragePolicy(new Path("/d"));
    fixture.convertAll("rs-3-2", "/d");
    settle("/d");
    assertEquals(2, fixture.stripes().size());
    for (StripeStatus stripe : fixture.stripes()) {
      assertEquals(1, stripe.members().stream().map(MemberStatus::storage).distinct().count());
    }
    assertMoverMovesNothing();
  }

  /** What is rebuilt goes where the file's policy wants it by then. */
  @Test
  void thePolicyMayChangeAfterwards() throws Exception {
    room(StorageType.ARCHIVE, node -> true);
    write("/d/f", "HOT", 4);
    fixture.convertAll("rs-3-2", "/d/f");
    settle("/d/f");
    assertTypes("DISK", "/d", BraidPaths.STRIPES);
    fixture.fs.setStoragePolicy(new Path("/d"), "COLD");
    String first = fixture.stripes().get(0).stripe().member(0).home();
    fixture.hdfs.stopNode(fixture.hdfs.indexOf(first).orElseThrow());
    int rebuilt = fixture.repair("/", "star").repaired().size();
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/", "star").unrepairable());
    settle("/d/f");
    fixture.assertClean("/");
    assertTypes("DISK", BraidPaths.STRIPES);
    long archived =
        storages("/d").values().stream().filter(at -> at.get(0).startsWith("ARCHIVE")).count();
    assertTrue(archived > 0 && archived <= rebuilt, archived + " of " + rebuilt);

    assertEquals(0, HdfsMovers.move(fixture.hdfs, Policy.HDFS, "/"));
    fixture.assertClean("/");
    assertTypes("ARCHIVE", "/d");
    assertTypes("DISK", BraidPaths.STRIPES);
    fixture.assertReads("/d/f");
  }

  @Test
  void fsckSaysWhatIsElsewhereThanPoliciesWant() throws Exception {
    room(StorageType.ARCHIVE, node -> true);
    write("/d/f", "HOT", 2);
    fixture.convertAll("rs-3-2", "/d/f");
    settle("/d/f");
    assertEquals(List.of(), List.copyOf(fixture.fsck("/").storage()));
    fixture.fs.setStoragePolicy(new Path("/d"), "COLD");
    List<StorageState> expected = List.of(new StorageState("/d/f", "ARCHIVE", 6));
    assertEquals(expected, List.copyOf(fixture.fsck("/").storage()));
    assertEquals(expected, List.copyOf(fixture.fsck("/d").storage()));
    fixture.assertClean("/");
    assertEquals(0, HdfsMovers.move(fixture.hdfs, Policy.HDFS, "/d"));
    assertEquals(List.of(), List.copyOf(fixture.fsck("/").storage()));

    Path parity = new Path(BraidPaths.STRIPES);
    fixture.fs.setStoragePolicy(parity, "COLD");
    try {
      for (String path : List.of("/", "/d/f")) {
        List<StorageState> found = fixture.fsck(path).storage();
        assertEquals(2, found.size(), found.toString());
        for (StorageState one : found) {
          assertTrue(one.path().startsWith(BraidPaths.STRIPES + "/"), one.path());
          assertEquals("ARCHIVE", one.wanted());
          assertEquals(2, one.blocks());
        }
      }
    } finally {
      fixture.fs.unsetStoragePolicy(parity);
    }
  }

  private static void assertTooFew(List<ConvertReport.Skipped> skipped) {
    assertEquals(1, skipped.size());
    String reason = skipped.get(0).reason();
    assertTrue(
        reason.contains(
            "; 9 of the 12 nodes that may get blocks have no room on ARCHIVE for one of 8192 bytes"),
        reason);
  }

  @Test
  void tooFewArchivesAreNamed() throws Exception {
    room(StorageType.ARCHIVE, node -> true);
    write("/d/f", "COLD", 2);
    room(StorageType.ARCHIVE, node -> node < 3);
    try (Cluster cluster = fixture.braid()) {
      assertTooFew(cluster.preview(ClusterFixture.request("rs-3-2", "/d/f")).leftAlone());
    }
    assertTooFew(fixture.convert("rs-3-2", "/d/f").skipped());
    assertNotEquals(Map.of(), storages("/d"));
    assertEquals(Map.of(), storages(BraidPaths.STRIPES));
  }
}
