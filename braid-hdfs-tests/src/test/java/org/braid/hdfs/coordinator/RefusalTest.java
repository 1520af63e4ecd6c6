package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.code.UnknownCodeException;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.api.view.UsageReport;
import org.braid.hdfs.api.view.UsageRequest;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bad input is converted correctly or refused with the reason and numbers; nothing is lost. */
final class RefusalTest {
  private static final Random RANDOM = Seeds.random(RefusalTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(3, 6);

  private static Skipped skipped(String path) throws IOException {
    ConvertReport report = fixture.convert("rs-3-2", path);
    assertEquals(1, report.skipped().size(), report.toString());
    assertEquals(List.of(), report.files());
    assertEquals(path, report.skipped().get(0).path());
    return report.skipped().get(0);
  }

  @Test
  void aMissingPathIsNamed() {
    FileNotFoundException e =
        assertThrows(FileNotFoundException.class, () -> fixture.convert("rs-3-2", "/no/such"));
    assertTrue(e.getMessage().contains("/no/such"), e.getMessage());
  }

  @Test
  void anUnknownCodeNamesWhereTheKnownOnesStand() {
    UnknownCodeException e =
        assertThrows(UnknownCodeException.class, () -> fixture.convert("fountain-3", "/"));
    assertTrue(e.getMessage().contains("braid codes list"), e.getMessage());
  }

  @Test
  void tooFewNodesAreRefusedWithNumbers() throws Exception {
    fixture.write("/wide/f", 10 * ClusterFixture.BLOCK, 3, RANDOM);
    RefusedException e =
        assertThrows(RefusedException.class, () -> fixture.convert("rs-10-4", "/wide"));
    assertTrue(e.getMessage().contains("14") && e.getMessage().contains("6"), e.getMessage());
    fixture.assertReads("/wide/f");
    assertEquals(3, fixture.files("/wide/f").get(0).replication());
  }

  @Test
  void moreSubBlocksThanConnectionsAreRefusedBeforeAnythingIsWritten() throws Exception {
    RefusedException e =
        assertThrows(RefusedException.class, () -> fixture.convert("rotated-rs-14-3-64", "/"));
    assertTrue(
        e.getMessage().contains("64 sub-blocks: a stripe would take up to 1088 connections"),
        e.getMessage());
  }

  @Test
  void aRackLimitThatBreaksToleranceIsRefused() throws Exception {
    fixture.write("/limit/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    for (int limit : new int[] {1, 3}) {
      ConvertRequest normal = ClusterFixture.request("rs-3-2", "/limit");
      ConvertRequest request =
          new ConvertRequest(
              normal.paths(),
              normal.code(),
              OptionalInt.of(limit),
              normal.method(),
              1,
              normal.sliceBytes(),
              1,
              Progress.SILENT);
      try (Cluster cluster = fixture.braid()) {
        RefusedException e = assertThrows(RefusedException.class, () -> cluster.convert(request));
        assertTrue(e.getMessage().contains(Integer.toString(limit)), e.getMessage());
      }
    }
    fixture.assertReads("/limit/f");
  }

  @Test
  void emptyAndTinyFiles() throws Exception {
    fixture.write("/tiny/empty", 0, 3, RANDOM);
    fixture.write("/tiny/byte", 1, 3, RANDOM);
    assertEquals("EMPTY", skipped("/tiny/empty").cause());
    Skipped one = skipped("/tiny/byte");
    assertEquals("NO_GAIN", one.cause());
    assertTrue(one.reason().contains("1 blocks with 2 parity"), one.reason());
    fixture.assertReads("/tiny/byte");
    fixture.assertReads("/tiny/empty");
  }

  @Test
  void filesOfOneReplicaGainParity() throws Exception {
    fixture.write("/single/f", 5 * ClusterFixture.BLOCK + 3, 1, RANDOM);
    fixture.convertAll("rs-3-2", "/single/f");
    fixture.assertConverted("/single/f");
    fixture.assertTolerant("/single/f");
    fixture.assertReads("/single/f");
  }

  /** What a dry run says comes true, of files whose replicas are in any racks. */
  @Test
  void aDryRunChangesNothingAndComesTrue() throws Exception {
    fixture.write("/dry/large", 13 * ClusterFixture.BLOCK + 7, 3, RANDOM);
    for (int i = 0; i < 4; i++) {
      fixture.write("/dry/small/f" + i, (1 + i) * ClusterFixture.BLOCK - 5, 3, RANDOM);
    }
    fixture.write("/dry/empty", 0, 3, RANDOM);
    fixture.write("/dry/before", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/dry/before");
    List<StoredFile> files = fixture.files("/dry/large");
    int stripes = fixture.stripes().size();
    ConvertRequest request =
        new ConvertRequest(
            List.of("/dry"),
            "rs-3-2",
            OptionalInt.empty(),
            ConvertRequest.Method.DEFAULT,
            4,
            ClusterFixture.SLICE,
            RANDOM.nextLong(),
            Progress.SILENT);
    try (Cluster cluster = fixture.braid()) {
      ConvertPreview preview = cluster.preview(request);
      var unused = cluster.throttle().set(Map.of("cluster", "0"));
      assertNull(cluster.preview(request).seconds(), "the throttle stops it");
      unused = cluster.throttle().set(Map.of("cluster", "64k"));
      Double slow = cluster.preview(request).seconds();
      assertTrue(slow != null && slow > preview.crossRackBytes() / 65536.0, slow + " s");
      unused = cluster.throttle().clear();
      assertEquals(files, fixture.files("/dry/large"));
      assertEquals(stripes, fixture.stripes().size());
      ConvertReport report = cluster.convert(request);
      assertEquals(
          List.of(5L, 1L),
          List.of((long) preview.files(), (long) preview.already()),
          preview.toString());
      assertEquals(preview.leftAlone(), report.skipped());
      assertEquals(1, preview.leftAlone().size());
      assertEquals(report.stripes(), preview.stripes());
      assertEquals(report.dataBlocks(), preview.dataBlocks());
      assertEquals(report.relocatedBlocks(), preview.relocatedBlocks());
      assertEquals(report.parityBlocks(), preview.parityBlocks());
      assertEquals(report.storageBefore(), preview.storageBefore());
      assertEquals(
          (double) (report.storageBefore() - report.storageAfter()),
          (double) preview.bytesSaved(),
          0.01 * preview.bytesSaved());
      long moved = report.encoding().crossRackBytes() + report.relocation().crossRackBytes();
      assertTrue(moved > 0, report.toString());
      assertEquals((double) moved, (double) preview.crossRackBytes(), 0.05 * moved);
      Double seconds = preview.seconds();
      assertTrue(seconds != null && seconds > 0 && seconds < slow, preview.toString());
      // What is carried out is planned alike, and says so.
      assertEquals(
          new ConvertPreview.Expected(
              preview.stripes(),
              preview.relocatedBlocks(),
              preview.bytesSaved(),
              preview.crossRackBytes(),
              seconds),
          report.expected());
    }
    fixture.assertClean("/dry");
  }

  /** While DataNodes have yet to report, nobody knows what is lost. */
  @Test
  void inSafeModeNothingIsCalledLost() throws Exception {
    fixture.write("/safe/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/safe/f");
    var stripe =
        fixture.stripes().stream()
            .filter(status -> status.data().get(0).path().equals("/safe/f"))
            .findFirst()
            .orElseThrow();
    try (Cluster cluster = fixture.braid()) {
      fixture.fs.setSafeMode(SafeModeAction.ENTER);
      try {
        assertEquals(List.of(), cluster.fsck("/safe").files().get(0).findings());
        fixture.hdfs.stopNode(fixture.homes(stripe).get(0));
        RefusedException refused =
            assertThrows(RefusedException.class, () -> cluster.fsck("/safe"));
        assertTrue(
            String.valueOf(refused.getMessage()).contains("yet to report blocks of 1 files"),
            refused.getMessage());
      } finally {
        fixture.fs.setSafeMode(SafeModeAction.LEAVE);
      }
      assertEquals(1, cluster.fsck("/safe").count(FsckReport.State.REPAIRABLE));
    } finally {
      fixture.startAll();
    }
  }

  /** What users did meanwhile is told as that, and nothing is said to have failed. */
  @Test
  void whatUsersDidMeanwhileIsNoFailure() throws Exception {
    fixture.write("/held/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    Path held = new Path("/held");
    assertEquals(
        List.of("HELD"),
        causes(
            "/held",
            () -> {
              fixture.fs.allowSnapshot(held);
              fixture.fs.createSnapshot(held, "s");
            }));
    fixture.fs.deleteSnapshot(held, "s");
    fixture.fs.disallowSnapshot(held);
    fixture.write("/cut/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    assertEquals(
        List.of("CHANGED"),
        causes("/cut", () -> fixture.fs.truncate(new Path("/cut/f"), ClusterFixture.BLOCK)));
    fixture.assertTolerant("/");
  }

  private interface Deed {
    void done() throws IOException;
  }

  /** Why files are left alone when something is done as soon as a stripe is published. */
  private static List<String> causes(String path, Deed deed) throws IOException {
    AtomicBoolean done = new AtomicBoolean();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.CONVERT_PUBLISHED && !done.getAndSet(true)) {
            deed.done();
          }
        });
    try {
      return fixture.convert("rs-3-2", path).skipped().stream()
          .map(ConvertReport.Skipped::cause)
          .toList();
    } finally {
      InjectedFaults.clear();
    }
  }

  /** Who is no superuser hears of what it may read, and as much of it as a superuser. */
  @Test
  void usersAreToldTheStatusOfWhatTheyMayRead() throws Exception {
    for (String path : List.of("/seen/f", "/seen/below/g", "/seen/closed/h")) {
      fixture.write(path, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    }
    fixture.write("/seen/shared/ours", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/seen/shared/theirs", ClusterFixture.BLOCK, 3, RANDOM);
    ConvertRequest.Method inOrder =
        new ConvertRequest.Method(
            ConvertRequest.Encoder.CORE_RACK,
            ConvertRequest.Group.ORDER,
            ConvertRequest.Encode.AUTO,
            ConvertRequest.Homes.EVEN);
    try (Cluster cluster = fixture.braid()) {
      assertEquals(
          List.of(), cluster.convert(ClusterFixture.request(inOrder, "rs-3-2", "/seen")).skipped());
    }
    fixture.write("/seen/plain", 5, 2, RANDOM);
    FsPermission ownerOnly = new FsPermission((short) 0700);
    try (Cluster cluster = fixture.braid()) {
      StatusReport all = cluster.status("/seen");
      assertEquals(new StatusReport.FileCounts(1, 5, 0, 0), all.files());
      // HDFS lists copies to its users until they are deleted.
      StatusReport open =
          Await.until(
              "surplus copies to go",
              () -> user(reader -> reader.status("/seen")),
              seen -> seen.storedBytes() == all.storedBytes());
      assertEquals(0, open.hidden());
      assertEquals(all.files(), open.files());
      assertEquals(all.codes(), open.codes());
      assertEquals(all.parityBytes(), open.parityBytes());
      assertEquals(all.health(), open.health());
      UsageReport usage = cluster.usage(usage("/seen"), Progress.SILENT);
      assertEquals(all.storedBytes(), usage.total().storedBytes());
      assertEquals(all.parityBytes(), usage.total().parityBytes());
      assertEquals(all.logicalBytes(), usage.total().contentBytes());
      assertEquals(6, usage.total().files());
      UsageReport seen = user(reader -> reader.usage(usage("/seen"), Progress.SILENT));
      assertEquals(usage.rows(), seen.rows());
      assertEquals(0, seen.hidden());
      fixture.fs.setPermission(new Path("/seen/shared/theirs"), ownerOnly);
      fixture.fs.setPermission(new Path("/seen/closed"), ownerOnly);
      UsageReport less = user(reader -> reader.usage(usage("/seen"), Progress.SILENT));
      assertEquals(3, less.hidden());
      assertEquals(3, less.total().files());
      StatusReport some = user(reader -> reader.status("/seen"));
      assertEquals(3, some.hidden(), "a directory, a file, and a file that shares its stripe");
      assertEquals(new StatusReport.FileCounts(1, 2, 0, 0), some.files());
      assertEquals(List.of(new StatusReport.CodeCount("rs-3-2", 2, 6, 4)), some.codes());
      assertThrows(
          AccessControlException.class, () -> user(reader -> reader.status("/seen/closed")));
      AccessControlException whole =
          assertThrows(AccessControlException.class, () -> user(reader -> reader.status("/")));
      assertTrue(whole.getMessage().contains("name a path that you may read"), whole.toString());
    }
  }

  private static UsageRequest usage(String path) {
    return new UsageRequest(path, UsageRequest.By.DIRECTORY, 1);
  }

  private interface Question<T> {
    T ask(Cluster cluster) throws IOException;
  }

  private static <T> T user(Question<T> question) throws Exception {
    return UserGroupInformation.createUserForTesting("eve", new String[] {"users"})
        .doAs(
            (PrivilegedExceptionAction<T>)
                () -> {
                  try (Cluster cluster = fixture.braid()) {
                    return question.ask(cluster);
                  }
                });
  }

  /** As jobs and tables keep there what is unfinished or thrown away. */
  @Test
  void hiddenDirectoriesAreLeftAloneUnlessTheyAreNamed() throws Exception {
    String staged = "/hive/t/.hive-staging_1/f";
    String temporary = "/hive/t/_temporary/0/f";
    for (String path : List.of("/hive/t/f", "/hive/t/_f", staged, temporary)) {
      fixture.write(path, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    }
    try (Cluster cluster = fixture.braid()) {
      ConvertRequest table = ClusterFixture.request("rs-3-2", "/hive");
      ConvertPreview preview = cluster.preview(table);
      ConvertReport report = cluster.convert(table);
      assertEquals(2, preview.files());
      assertEquals(2, report.files().size());
      assertEquals(preview.leftAlone(), report.skipped());
      assertEquals(
          List.of(staged + " HIDDEN", temporary + " HIDDEN"),
          report.skipped().stream().map(left -> left.path() + " " + left.cause()).toList());
    }
    assertEquals(3, fixture.files(staged).get(0).replication());
    fixture.convertAll("rs-3-2", "/hive/t/_temporary");
    fixture.assertConverted(temporary);
    fixture.assertReads(temporary);
    // What is converted stays so, whatever names its directory.
    ConvertReport again = fixture.convert("rs-3-2", "/hive");
    assertEquals(List.of(3, 1), List.of(again.files().size(), again.skipped().size()));
    assertTrue(fixture.fs.rename(new Path("/hive/t/.hive-staging_1"), new Path("/hive/t/done")));
    fixture.convertAll("rs-3-2", "/hive");
    fixture.assertConverted("/hive/t/done/f");
    fixture.assertClean("/hive");
  }

  @Test
  void filesBeingWrittenAreLeftAlone() throws Exception {
    try (FSDataOutputStream out = fixture.fs.create(new Path("/open/f"))) {
      out.write(new byte[4 * ClusterFixture.BLOCK]);
      out.hflush();
      assertEquals("UNDER_CONSTRUCTION", skipped("/open/f").cause());
    }
    assertEquals(4 * ClusterFixture.BLOCK, fixture.fs.getFileStatus(new Path("/open/f")).getLen());
  }

  @Test
  void filesInSnapshotsAreLeftAlone() throws Exception {
    fixture.write("/snap/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.fs.allowSnapshot(new Path("/snap"));
    fixture.fs.createSnapshot(new Path("/snap"), "before");
    Skipped skipped = skipped("/snap/f");
    assertEquals("IN_SNAPSHOT", skipped.cause());
    assertTrue(skipped.reason().contains("replication 3"), skipped.reason());
    fixture.fs.deleteSnapshot(new Path("/snap"), "before");
    fixture.convertAll("rs-3-2", "/snap/f");
    fixture.fs.createSnapshot(new Path("/snap"), "after");
    fixture.fs.delete(new Path("/snap/f"), false);
    org.junit.jupiter.api.Assertions.assertArrayEquals(
        fixture.content("/snap/f"), ClusterFixture.read(fixture.fs, "/snap/.snapshot/after/f"));
    // The snapshot still needs the blocks, and so the parity.
    int stripes = fixture.stripes().size();
    fixture.repair("/", "chain");
    assertEquals(stripes, fixture.stripes().size());
    fixture.fs.deleteSnapshot(new Path("/snap"), "after");
  }

  /**
   * The snapshot has recorded replication 1 before: that the file gets it again changes nothing.
   */
  @Test
  void whatWasAppendedAfterASnapshotOfAConvertedFileIsEncodedAnew() throws Exception {
    Path directory = new Path("/again");
    fixture.write("/again/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.fs.allowSnapshot(directory);
    fixture.convertAll("rs-3-2", "/again/f");
    fixture.fs.createSnapshot(directory, "converted");
    try (FSDataOutputStream out = fixture.fs.append(new Path("/again/f"))) {
      out.write(new byte[3 * ClusterFixture.BLOCK]);
    }
    assertEquals(3, fixture.files("/again/f").get(0).replication());
    fixture.convertAll("rs-3-2", "/again/f");
    fixture.assertConverted("/again/f");
    fixture.assertClean("/again");
    fixture.fs.deleteSnapshot(directory, "converted");
  }

  @Test
  void stripedFilesAreLeftAlone() throws Exception {
    String policy =
        SystemErasureCodingPolicies.getByID(SystemErasureCodingPolicies.XOR_2_1_POLICY_ID)
            .getName();
    HdfsAdmin admin =
        new HdfsAdmin(java.net.URI.create(fixture.hdfs.uri()), fixture.hdfs.configuration());
    admin.enableErasureCodingPolicy(policy);
    fixture.fs.mkdirs(new Path("/striped"));
    admin.setErasureCodingPolicy(new Path("/striped"), policy);
    try (FSDataOutputStream out =
        fixture.fs.create(new Path("/striped/f"), true, 4096, (short) 1, 1 << 20)) {
      out.write(new byte[5000]);
    }
    assertEquals("STRIPED", skipped("/striped/f").cause());
  }

  @Test
  void aClusterThatIsNotThereIsNamed() {
    Connection nowhere =
        new Connection(
            java.util.Optional.of("hdfs://127.0.0.1:1"),
            List.of(),
            Map.of("ipc.client.connect.max.retries", "0"));
    IOException e = assertThrows(IOException.class, () -> Braid.connect(nowhere));
    assertTrue(e.getMessage().contains("hdfs://127.0.0.1:1"), e.getMessage());
  }
}
