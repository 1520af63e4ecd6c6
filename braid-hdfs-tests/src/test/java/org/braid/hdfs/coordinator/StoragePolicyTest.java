package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport.StorageState;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.coordinator.HdfsMovers.Policy;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StripeStatus;
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

  private static ClusterFixture fixture;
  private static Storages storages;

  @BeforeAll
  static void start() throws Exception {
    List<StorageType> types = List.of(StorageType.DISK, StorageType.ARCHIVE, StorageType.SSD);
    fixture = Storages.cluster(6, NODES, types, Map.of());
    storages = new Storages(fixture, types);
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @AfterEach
  void clean() throws Exception {
    storages.clean("/d");
  }

  private static void write(String path, String policy, int stripes) throws IOException {
    fixture.fs.mkdirs(new Path("/d"));
    fixture.fs.setStoragePolicy(new Path("/d"), policy);
    fixture.write(path, stripes * 3 * ClusterFixture.BLOCK - 1000, 3, RANDOM);
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
    storages.room(StorageType.ARCHIVE, archives);
    write("/d/f", "COLD", 6);
    storages.assertTypes("ARCHIVE", "/d");
    fixture.convertAll("rs-3-2", "/d/f");
    storages.settle("/d/f");
    storages.assertTypes("ARCHIVE", "/d", BraidPaths.STRIPES);
    assertParityHas("COLD");
    storages.assertMoverMovesNothing();

    fixture.hdfs.stopNode(fixture.heaviestNode());
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    storages.settle("/d/f");
    fixture.assertClean("/");
    storages.assertTypes("ARCHIVE", "/d", BraidPaths.STRIPES);
    storages.assertMoverMovesNothing();
    fixture.assertReads("/d/f");

    restore("/d/f");
    storages.assertTypes("ARCHIVE", "/d");
    assertEquals(Map.of(), storages.at(BraidPaths.STRIPES));
    storages.assertMoverMovesNothing();
  }

  /** One replica under ONE_SSD is the fast one. */
  @Test
  void filesWithOneFastReplicaKeepThatOne() throws Exception {
    storages.room(StorageType.SSD, node -> true);
    write("/d/f", "ONE_SSD", 20);
    assertEquals(Set.of("DISK", "SSD"), storages.types("/d"));
    ConvertReport report = fixture.convertAll("rs-3-2", "/d/f");
    // The fast replicas of three blocks are seldom in three racks, 20 times in turn.
    assertTrue(report.relocatedBlocks() > 0);
    storages.settle("/d/f");
    storages.assertTypes("SSD", "/d", BraidPaths.STRIPES);
    storages.assertMoverMovesNothing();

    fixture.hdfs.stopNode(fixture.heaviestNode());
    assertEquals(List.of(), fixture.repair("/", "ppr").unrepairable());
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/", "ppr").unrepairable());
    storages.settle("/d/f");
    storages.assertTypes("SSD", "/d", BraidPaths.STRIPES);

    restore("/d/f");
    for (List<String> replicas : storages.at("/d").values()) {
      assertEquals(1, replicas.stream().filter(at -> at.startsWith("SSD")).count());
    }
    storages.assertMoverMovesNothing();
  }

  /** The policy has a fallback. */
  @Test
  void disksStandInForFastStorageThatIsMissing() throws Exception {
    storages.room(StorageType.SSD, node -> node < 2);
    write("/d/f", "ONE_SSD", 2);
    fixture.convertAll("rs-3-2", "/d/f");
    storages.settle("/d/f");
    fixture.assertClean("/");
    assertEquals(Set.of("DISK", "SSD"), storages.types("/d"));
    fixture.assertReads("/d/f");
  }

  @Test
  void filesOfDifferentPoliciesShareNoStripe() throws Exception {
    storages.room(StorageType.ARCHIVE, node -> true);
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
    storages.settle("/d");
    assertEquals(2, fixture.stripes().size());
    for (StripeStatus stripe : fixture.stripes()) {
      assertEquals(1, stripe.members().stream().map(MemberStatus::storage).distinct().count());
    }
    storages.assertMoverMovesNothing();
  }

  /** What is rebuilt goes where the file's policy wants it by then. */
  @Test
  void thePolicyMayChangeAfterwards() throws Exception {
    storages.room(StorageType.ARCHIVE, node -> true);
    write("/d/f", "HOT", 4);
    fixture.convertAll("rs-3-2", "/d/f");
    storages.settle("/d/f");
    storages.assertTypes("DISK", "/d", BraidPaths.STRIPES);
    fixture.fs.setStoragePolicy(new Path("/d"), "COLD");
    String first = fixture.stripes().get(0).stripe().member(0).home();
    fixture.hdfs.stopNode(fixture.hdfs.indexOf(first).orElseThrow());
    int rebuilt = fixture.repair("/", "star").repaired().size();
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/", "star").unrepairable());
    storages.settle("/d/f");
    fixture.assertClean("/");
    storages.assertTypes("DISK", BraidPaths.STRIPES);
    long archived =
        storages.at("/d").values().stream().filter(at -> at.get(0).startsWith("ARCHIVE")).count();
    assertTrue(archived > 0 && archived <= rebuilt, archived + " of " + rebuilt);

    assertEquals(0, HdfsMovers.move(fixture.hdfs, Policy.HDFS, "/"));
    fixture.assertClean("/");
    storages.assertTypes("ARCHIVE", "/d");
    storages.assertTypes("DISK", BraidPaths.STRIPES);
    fixture.assertReads("/d/f");
  }

  @Test
  void fsckSaysWhatIsElsewhereThanPoliciesWant() throws Exception {
    storages.room(StorageType.ARCHIVE, node -> true);
    write("/d/f", "HOT", 2);
    fixture.convertAll("rs-3-2", "/d/f");
    storages.settle("/d/f");
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
            "; 11 of the 12 nodes that may get blocks have no room on ARCHIVE for one of 8192 bytes"),
        reason);
  }

  @Test
  void tooFewArchivesAreNamed() throws Exception {
    storages.room(StorageType.ARCHIVE, node -> true);
    write("/d/f", "COLD", 2);
    storages.room(StorageType.ARCHIVE, node -> node < 1);
    try (Cluster cluster = fixture.braid()) {
      assertTooFew(cluster.preview(ClusterFixture.request("rs-3-2", "/d/f")).leftAlone());
    }
    assertTooFew(fixture.convert("rs-3-2", "/d/f").skipped());
    assertNotEquals(Map.of(), storages.at("/d"));
    assertEquals(Map.of(), storages.at(BraidPaths.STRIPES));
  }

  /** Only what is stored anew needs room: here a node of each rack has some. */
  @Test
  void blocksStayOnArchivesWithoutRoomForMore() throws Exception {
    storages.room();
    write("/d/f", "COLD", 6);
    IntPredicate roomy = node -> node < 6;
    storages.room(StorageType.ARCHIVE, roomy);
    fixture.convertAll("rs-3-2", "/d/f");
    storages.settle("/d/f");
    storages.assertTypes("ARCHIVE", "/d", BraidPaths.STRIPES);
    fixture.assertClean("/");
    int full = 0;
    for (StripeStatus stripe : fixture.stripes()) {
      List<Integer> homes = fixture.homes(stripe);
      assertTrue(homes.subList(3, 5).stream().allMatch(roomy::test), homes.toString());
      full += (int) homes.stream().filter(node -> !roomy.test(node)).count();
    }
    assertTrue(full > 0, "no block stays on a full archive");
    fixture.assertReads("/d/f");
  }

  /** As HDFS lets them for another replica of a file. */
  @Test
  void archivesStandInForFullDisksWhenBlocksAreRebuilt() throws Exception {
    storages.room();
    write("/d/f", "HOT", 4);
    fixture.convertAll("rs-3-2", "/d/f");
    storages.settle("/d/f");
    storages.room(StorageType.DISK, node -> false);
    fixture.hdfs.stopNode(fixture.heaviestNode());
    RepairReport report = fixture.repair("/", "chain");
    assertEquals(List.of(), report.unrepairable());
    assertFalse(report.repaired().isEmpty());
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    storages.settle("/d/f");
    fixture.assertClean("/");
    Set<String> types = storages.types("/d");
    types.addAll(storages.types(BraidPaths.STRIPES));
    assertEquals(Set.of("ARCHIVE", "DISK"), types);
    assertFalse(fixture.fsck("/").storage().isEmpty());
    fixture.assertReads("/d/f");

    storages.room();
    assertEquals(0, HdfsMovers.move(fixture.hdfs, Policy.HDFS, "/"));
    storages.assertTypes("DISK", "/d", BraidPaths.STRIPES);
    assertEquals(List.of(), List.copyOf(fixture.fsck("/").storage()));
    fixture.assertClean("/");
  }

  /** Its replicas were not moved yet; conversion leaves blocks on their nodes. */
  @Test
  void thePolicyMayChangeBeforeConversion() throws Exception {
    storages.room();
    write("/d/f", "HOT", 4);
    fixture.fs.setStoragePolicy(new Path("/d"), "WARM");
    fixture.fs.setStoragePolicy(new Path("/d/f"), "COLD");
    fixture.convertAll("rs-3-2", "/d/f");
    storages.settle("/d/f");
    storages.assertTypes("ARCHIVE", BraidPaths.STRIPES);
    assertParityHas("COLD");
    fixture.assertClean("/");

    List<List<Integer>> homes = homes();
    assertEquals(0, HdfsMovers.move(fixture.hdfs, Policy.HDFS, "/d"));
    storages.assertTypes("ARCHIVE", "/d");
    assertEquals(homes, homes());
    assertEquals(List.of(), List.copyOf(fixture.fsck("/").storage()));
    fixture.assertClean("/");
    fixture.assertReads("/d/f");
  }

  private static List<List<Integer>> homes() throws IOException {
    List<List<Integer>> homes = new ArrayList<>();
    for (StripeStatus stripe : fixture.stripes()) {
      homes.add(fixture.homes(stripe));
    }
    return homes;
  }
}
