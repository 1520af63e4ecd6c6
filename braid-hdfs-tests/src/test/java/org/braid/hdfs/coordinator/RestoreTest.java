package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.RestoreReport.Restored;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Restoration beside what users do. */
final class RestoreTest {
  private static final Random RANDOM = Seeds.random(RestoreTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 10);

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture.deleteAll();
  }

  private static RestoreReport restore(String path) throws Exception {
    try (Cluster braid = fixture.braid()) {
      return braid.restore(path, Progress.SILENT);
    }
  }

  @Test
  void aQuotaThatWasFilledLeavesOneFileConvertedAndNoOther() throws Exception {
    fixture.write("/r/full/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/r/wide/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/r/full");
    fixture.convertAll("rs-3-2", "/r/wide");
    fixture.fs.setQuota(
        new Path("/r/full"), HdfsConstants.QUOTA_DONT_SET, 4L * ClusterFixture.BLOCK);
    RestoreReport report = restore("/r");
    assertEquals(List.of(new Restored("/r/wide/f", 3, 3)), report.files());
    assertEquals(1, report.skipped().size());
    Skipped skipped = report.skipped().get(0);
    assertEquals("/r/full/f", skipped.path());
    assertEquals("QUOTA", skipped.cause());
    String start = "its replication stays 1, 3 was to be restored: The DiskSpace quota of /r/full";
    assertTrue(skipped.reason().startsWith(start), skipped.reason());
    assertEquals(1, report.parityFilesDeleted());
    fixture.assertTolerant("/r/full/f");
    fixture.assertClean("/r");
    fixture.fs.setQuota(
        new Path("/r/full"), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    assertEquals(1, restore("/r/full").files().size());
  }

  /**
   * HDFS keeps what only a snapshot has at the replication that the snapshot has recorded: 1, if it
   * was taken of a converted file.
   */
  @Test
  void parityStaysAsLongAsASnapshotHasTheFileConverted() throws Exception {
    Path directory = new Path("/snapped");
    fixture.write("/snapped/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.fs.allowSnapshot(directory);
    fixture.convertAll("rs-3-2", "/snapped/f");
    fixture.fs.createSnapshot(directory, "converted");
    RestoreReport report = restore("/snapped/f");
    assertEquals(List.of(new Restored("/snapped/f", 3, 3)), report.files());
    assertEquals(0, report.parityFilesDeleted());
    assertEquals("IN_SNAPSHOT", report.skipped().get(0).cause());
    fixture.repair("/", "chain");
    fixture.assertClean("/");
    fixture.fs.createSnapshot(directory, "restored");
    fixture.fs.delete(new Path("/snapped/f"), false);
    fixture.fs.deleteSnapshot(directory, "restored");
    StripeStatus stripe = fixture.stripes().get(0);
    assertEquals(1, stripe.member(0).status().expected());
    Await.until("one replica", () -> fixture.stripes().get(0).singles().size() == 5);
    fixture.repair("/", "chain");
    fixture.hdfs.stopNode(fixture.homes(fixture.stripes().get(0)).get(0));
    try {
      assertArrayEquals(
          fixture.content("/snapped/f"), fixture.readDegraded("/snapped/.snapshot/converted/f"));
    } finally {
      fixture.startAll();
    }
    fixture.fs.deleteSnapshot(directory, "converted");
    fixture.fs.disallowSnapshot(directory);
    fixture.repair("/", "chain");
    assertEquals(List.of(), fixture.stripes());
  }

  @Test
  void convertingAnotherFileOfItsStripesUndoesNoRestoration() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      fixture.write("/shared/" + name, ClusterFixture.BLOCK, 3, RANDOM);
    }
    fixture.convertAll("rs-3-2", "/shared");
    assertEquals(1, fixture.stripes().size());
    assertEquals(List.of(new Restored("/shared/a", 1, 3)), restore("/shared/a").files());
    try (FSDataOutputStream out = fixture.fs.append(new Path("/shared/b"))) {
      out.write(new byte[3 * ClusterFixture.BLOCK]);
    }
    fixture.convertAll("rs-3-2", "/shared/b");
    fixture.assertConverted("/shared/b");
    assertEquals(3, fixture.files("/shared/a").get(0).replication());
    assertEquals(3, fixture.files("/shared/a").get(0).blocks().get(0).expected());
    fixture.awaitReplicas("/shared/a", 3);
    fixture.assertClean("/shared");
    fixture.convertAll("rs-3-2", "/shared/a");
    fixture.assertConverted("/shared/a");
  }

  /** What is left of its stripe keeps the replicas that it has in memory; repair goes on. */
  @Test
  void aFullQuotaBreaksOffNoRepair() throws Exception {
    Path full = new Path("/full");
    for (int i = 0; i < 3; i++) {
      fixture.write("/full/" + i, ClusterFixture.BLOCK, 3, RANDOM);
    }
    fixture.convertAll("rs-3-2", "/full");
    fixture.fs.delete(new Path("/full/0"), false);
    fixture.fs.delete(new Path("/full/1"), false);
    fixture.fs.setQuota(full, HdfsConstants.QUOTA_DONT_SET, 2L * ClusterFixture.BLOCK);
    fixture.repair("/", "chain");
    assertEquals(1, fixture.files("/full").get(0).replication());
    assertEquals(3, fixture.files("/full").get(0).blocks().get(0).expected());
    assertEquals("QUOTA", fixture.convert("rs-3-2", "/full").skipped().get(0).cause());
    fixture.fs.setQuota(full, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    fixture.repair("/", "chain");
    assertEquals(3, fixture.files("/full").get(0).replication());
  }

  @Test
  void aReplicationSetMeanwhileIsEnough() throws Exception {
    fixture.write("/r/two", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/r/three", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/r");
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.RESTORE_RAISED) {
            fixture.fs.setReplication(new Path("/r/two"), (short) 2);
          }
        });
    RestoreReport report = restore("/r");
    assertEquals(
        List.of(new Restored("/r/three", 3, 3), new Restored("/r/two", 3, 2)), report.files());
    assertEquals(List.of(), report.skipped());
    assertEquals(2, report.parityFilesDeleted());
    fixture.assertReads("/r/two");
    fixture.assertTolerant("/r");
    fixture.assertClean("/r");
  }
}
