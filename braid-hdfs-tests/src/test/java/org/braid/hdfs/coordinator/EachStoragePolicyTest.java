package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.FsckReport.StorageState;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files of each storage policy that HDFS has, by their directory's, on DataNodes with all types of
 * storage: where their blocks are, and what quotas count of them.
 */
@Timeout(180)
final class EachStoragePolicyTest {
  private static final Random RANDOM = Seeds.random(EachStoragePolicyTest.class);
  private static final int BYTES = 12 * ClusterFixture.BLOCK - 1000;
  private static final long MUCH = 1L << 40;
  private static final String TOP = "/p";
  private static final String FILE = TOP + "/below/f";

  private static ClusterFixture fixture;
  private static Storages storages;

  @BeforeAll
  static void start() throws Exception {
    List<StorageType> types =
        List.of(StorageType.DISK, StorageType.ARCHIVE, StorageType.SSD, StorageType.NVDIMM);
    fixture =
        Storages.cluster(6, 12, types, Map.of("dfs.storage.policy.satisfier.mode", "external"));
    storages = new Storages(fixture, types);
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @BeforeEach
  void room() throws Exception {
    storages.room();
    fixture.repair("/", "star"); // makes Braid's directory
  }

  @AfterEach
  void clean() throws Exception {
    storages.clean(TOP);
  }

  private static void write(String policy) throws IOException {
    Path top = new Path(TOP);
    fixture.fs.mkdirs(top);
    fixture.fs.setStoragePolicy(top, policy);
    fixture.fs.setQuota(top, HdfsConstants.QUOTA_DONT_SET, MUCH);
    for (StorageType type : StorageType.getTypesSupportingQuota()) {
      fixture.fs.setQuotaByStorageType(top, type, MUCH);
    }
    fixture.write(FILE, BYTES, 3, RANDOM);
  }

  private static void convert() throws IOException {
    fixture.convertAll("rs-3-2", FILE);
    storages.settle(FILE);
  }

  private static void restore() throws IOException {
    try (Cluster cluster = fixture.braid()) {
      assertEquals(List.of(), cluster.restore(FILE, Progress.SILENT).skipped());
    }
    fixture.awaitReplicas(FILE, 3);
  }

  /** What {@code count -q -t} and {@code du} say: by the quotas' books, and counted anew. */
  private static void assertUsage(String typesOfReplicas) throws IOException {
    List<String> types = List.of(typesOfReplicas.split(" "));
    QuotaUsage booked = fixture.fs.getQuotaUsage(new Path(TOP));
    ContentSummary counted = fixture.fs.getContentSummary(new Path(TOP));
    assertEquals((long) BYTES * types.size(), booked.getSpaceConsumed());
    assertEquals((long) BYTES * types.size(), counted.getSpaceConsumed());
    assertEquals(BYTES, counted.getLength());
    for (StorageType type : StorageType.getTypesSupportingQuota()) {
      long expected = (long) BYTES * Collections.frequency(types, type.name());
      assertEquals(expected, booked.getTypeConsumed(type), "booked on " + type);
      assertEquals(expected, counted.getTypeConsumed(type), "counted on " + type);
    }
  }

  private static void assertAsWanted(String one) throws IOException {
    storages.assertTypes(one, TOP, BraidPaths.STRIPES);
    assertEquals(List.of(), List.copyOf(fixture.fsck("/").storage()));
    fixture.assertClean("/");
    fixture.assertTolerant(FILE);
    assertUsage(one);
  }

  @ParameterizedTest
  @CsvSource({
    "HOT,DISK,DISK DISK DISK",
    "WARM,DISK,ARCHIVE ARCHIVE DISK",
    "COLD,ARCHIVE,ARCHIVE ARCHIVE ARCHIVE",
    "ONE_SSD,SSD,DISK DISK SSD",
    "ALL_SSD,SSD,SSD SSD SSD",
    "ALL_NVDIMM,NVDIMM,NVDIMM NVDIMM NVDIMM"
  })
  void dataParityRebuiltAndRestoredBlocksAreWhereThePolicyWantsThem(
      String policy, String one, String three) throws Exception {
    write(policy);
    assertEquals(Set.of(three), storages.perBlock(TOP));
    assertUsage(three);

    convert();
    assertAsWanted(one);
    storages.assertMoverMovesNothing();

    fixture.hdfs.stopNode(fixture.heaviestNode());
    assertEquals(List.of(), fixture.repair("/", "ppr").unrepairable());
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/", "ppr").unrepairable());
    storages.settle(FILE);
    assertAsWanted(one);
    storages.assertMoverMovesNothing();

    restore();
    assertEquals(Set.of(three), storages.perBlock(TOP));
    assertEquals(Map.of(), storages.at(BraidPaths.STRIPES));
    assertUsage(three);
    storages.assertMoverMovesNothing();
    fixture.assertReads(FILE);
  }

  @Test
  void parityThatExceedsAQuotaIsNamedAndLeavesTheFileAsItWas() throws Exception {
    write("ALL_SSD");
    Path own = new Path(BraidPaths.ROOT);
    fixture.fs.setQuotaByStorageType(own, StorageType.SSD, ClusterFixture.BLOCK);
    try {
      List<Skipped> skipped = fixture.convert("rs-3-2", FILE).skipped();
      assertEquals(1, skipped.size());
      String reason = skipped.get(0).reason();
      assertTrue(
          reason.contains("Quota by storage type : SSD on path : /.braid is exceeded"), reason);
      assertEquals("QUOTA", skipped.get(0).cause());
      assertTrue(
          reason.startsWith("its replicas stay, convert it again: 3 attempts failed"), reason);
      fixture.awaitReplicas(FILE, 3);
      assertEquals(Set.of("SSD SSD SSD"), storages.perBlock(TOP));
      assertUsage("SSD SSD SSD");
      assertEquals(Map.of(), storages.at(BraidPaths.ROOT));
      fixture.assertClean("/");

      fixture.fs.setQuotaByStorageType(own, StorageType.SSD, MUCH);
      convert();
      assertAsWanted("SSD");
      long parity = 4 * 2 * ClusterFixture.BLOCK;
      assertEquals(parity, fixture.fs.getQuotaUsage(own).getTypeConsumed(StorageType.SSD));
      assertEquals(parity, fixture.fs.getContentSummary(own).getTypeConsumed(StorageType.SSD));
    } finally {
      fixture.fs.setQuotaByStorageType(own, StorageType.SSD, HdfsConstants.QUOTA_RESET);
    }
  }

  /** What the files' directory has no room for stays converted, by type of storage, too. */
  @Test
  void aQuotaOfATypeThatRestoredReplicasExceedIsNamed() throws Exception {
    write("WARM");
    convert();
    fixture.fs.setQuotaByStorageType(new Path(TOP), StorageType.ARCHIVE, ClusterFixture.BLOCK);
    try (Cluster cluster = fixture.braid()) {
      List<Skipped> skipped = cluster.restore(FILE, Progress.SILENT).skipped();
      assertEquals(1, skipped.size());
      assertEquals("QUOTA", skipped.get(0).cause());
      String reason = skipped.get(0).reason();
      assertTrue(reason.contains("Quota by storage type : ARCHIVE on path : /p"), reason);
    }
    assertAsWanted("DISK");
    fixture.fs.setQuotaByStorageType(new Path(TOP), StorageType.ARCHIVE, MUCH);
    restore();
    assertEquals(Set.of("ARCHIVE ARCHIVE DISK"), storages.perBlock(TOP));
    assertUsage("ARCHIVE ARCHIVE DISK");
  }

  /** The policy is that of a directory far above. */
  @Test
  void theSatisfierMovesBlocksWithinTheirNodes() throws Exception {
    write("HOT");
    convert();
    List<List<Integer>> homes = homes();
    fixture.fs.setStoragePolicy(new Path(TOP), "ALL_SSD");
    assertEquals(
        List.of(new StorageState(FILE, "SSD", 12)), List.copyOf(fixture.fsck("/").storage()));
    fixture.fs.satisfyStoragePolicy(new Path(FILE));
    try (Closeable satisfier = HdfsMovers.satisfier(fixture.hdfs)) {
      Await.until("all blocks to be on SSDs", () -> storages.types(TOP).equals(Set.of("SSD")));
    }
    storages.settle(FILE);
    assertEquals(homes, homes());
    assertEquals(List.of(), List.copyOf(fixture.fsck("/").storage()));
    fixture.assertClean("/");
    fixture.assertTolerant(FILE);
    fixture.assertReads(FILE);
  }

  /**
   * Some nodes have SSDs: blocks without a pin go there from others as far as the rule lets, which
   * is one block a rack. The satisfier tries each block on one node.
   */
  @Test
  void theSatisfierKeepsTheRule() throws Exception {
    write("HOT");
    convert();
    for (StripeStatus stripe : fixture.stripes()) {
      for (Member member : stripe.stripe().members()) {
        int home = fixture.hdfs.indexOf(member.home()).orElseThrow();
        Movers.unpin(fixture, member.block(), home);
      }
    }
    List<List<Integer>> homes = homes();
    Set<Integer> taken = new HashSet<>();
    homes.get(0).forEach(node -> taken.add(node % fixture.hdfs.racks()));
    storages.room(StorageType.SSD, node -> !taken.contains(node % fixture.hdfs.racks()));
    fixture.fs.setStoragePolicy(new Path(TOP), "ALL_SSD");
    fixture.fs.satisfyStoragePolicy(new Path(FILE));
    try (Closeable satisfier = HdfsMovers.satisfier(fixture.hdfs)) {
      Await.until("a block to move to another node", () -> !homes().equals(homes));
    }
    storages.settle(FILE);
    storages.settle(BraidPaths.STRIPES);
    fixture.assertClean("/");
    fixture.assertTolerant(FILE);
    fixture.assertReads(FILE);
  }

  /** Files are refused whose blocks HDFS writes to memory. */
  @Test
  void lazilyPersistedFilesAreRefusedInWords() throws Exception {
    write("LAZY_PERSIST");
    List<Skipped> skipped = fixture.convert("rs-3-2", FILE).skipped();
    assertEquals(1, skipped.size());
    assertEquals("LAZY_PERSIST", skipped.get(0).cause());
    assertTrue(
        skipped.get(0).reason().startsWith("its storage policy is LAZY_PERSIST"),
        skipped.get(0).reason());
    assertFalse(storages.at(TOP).isEmpty());
    assertEquals(3, fixture.files(FILE).get(0).replication());
  }

  private static List<List<Integer>> homes() throws IOException {
    List<List<Integer>> homes = new ArrayList<>();
    for (StripeStatus stripe : fixture.stripes()) {
      homes.add(fixture.homes(stripe));
    }
    return homes;
  }
}
