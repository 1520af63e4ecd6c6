package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.FsckReport.StorageState;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.coordinator.HdfsMovers.Policy;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Storage policies that want types of storage that no DataNode has. */
@Timeout(180)
final class DisksOnlyTest {
  private static final Random RANDOM = Seeds.random(DisksOnlyTest.class);
  private static final int BYTES = 6 * ClusterFixture.BLOCK;
  private static final String FILE = "/d/f";

  @RegisterExtension static final SharedCluster fixture = new SharedCluster(6, 8);
  private static Storages storages;

  @BeforeAll
  static void prepare() throws Exception {
    storages = new Storages(fixture, List.of(StorageType.DISK));
  }

  @AfterEach
  void clean() throws Exception {
    storages.clean("/d");
  }

  private static void write(String policy) throws IOException {
    fixture.fs.mkdirs(new Path("/d"));
    fixture.fs.setStoragePolicy(new Path("/d"), policy);
    fixture.write(FILE, BYTES, 3, RANDOM);
  }

  /** Loses the node that has the first block of a stripe. */
  private static void loseANodeAndRepair() throws IOException {
    fixture.hdfs.stopNode(fixture.homes(fixture.stripes().get(0)).get(0));
    RepairReport report = fixture.repair("/", "chain");
    assertEquals(List.of(), report.unrepairable());
    assertFalse(report.repaired().isEmpty());
    fixture.startAll();
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    storages.settle(FILE);
    fixture.assertClean("/");
    fixture.assertTolerant(FILE);
    fixture.assertReads(FILE);
  }

  /** HDFS writes such files to disks. */
  @ParameterizedTest
  @CsvSource({"WARM,DISK,0", "ONE_SSD,SSD,6", "ALL_SSD,SSD,6", "ALL_NVDIMM,NVDIMM,6"})
  void filesOfPoliciesWithFallbacksAreOnDisks(String policy, String wanted, int elsewhere)
      throws Exception {
    write(policy);
    fixture.convertAll("rs-3-2", FILE);
    storages.settle(FILE);
    assertEquals(
        elsewhere == 0 ? List.of() : List.of(new StorageState(FILE, wanted, elsewhere)),
        fixture.fsck("/").storage().stream().filter(s -> s.path().equals(FILE)).toList());
    loseANodeAndRepair();
    try (Cluster cluster = fixture.braid()) {
      assertEquals(List.of(), cluster.restore(FILE, Progress.SILENT).skipped());
    }
    fixture.awaitReplicas(FILE, 3);
    assertEquals(Map.of(), storages.at(BraidPaths.STRIPES));
    fixture.assertReads(FILE);
  }

  @Test
  void coldFilesAreRefusedInNumbersAndStayAsTheyWere() throws Exception {
    write("HOT");
    fixture.fs.setStoragePolicy(new Path("/d"), "COLD");
    Map<String, List<String>> before = storages.at("/d");
    List<Skipped> skipped = fixture.convert("rs-3-2", FILE).skipped();
    assertEquals(1, skipped.size());
    assertEquals("REFUSED", skipped.get(0).cause());
    String reason = skipped.get(0).reason();
    assertTrue(
        reason.contains("; 8 of the 8 nodes that may get blocks have no ARCHIVE storage"), reason);
    assertEquals(before.keySet(), storages.at("/d").keySet());
    fixture.awaitReplicas(FILE, 3);
    assertEquals(3, fixture.files(FILE).get(0).replication());
    assertEquals(Map.of(), storages.at(BraidPaths.ROOT));
  }

  /** The parity, which has the policy that the file had, allows disks. */
  @Test
  void lostBlocksOfAFileThatBecameColdAreRebuilt() throws Exception {
    write("HOT");
    fixture.convertAll("rs-3-2", FILE);
    storages.settle(FILE);
    fixture.fs.setStoragePolicy(new Path("/d"), "COLD");
    loseANodeAndRepair();
    assertEquals(
        List.of(new StorageState(FILE, "ARCHIVE", 6)), List.copyOf(fixture.fsck("/").storage()));

    Map<String, List<String>> before = storages.at("/");
    int unused = HdfsMovers.move(fixture.hdfs, Policy.HDFS, "/d");
    assertEquals(before, storages.at("/"));
    fixture.assertClean("/");
  }
}
