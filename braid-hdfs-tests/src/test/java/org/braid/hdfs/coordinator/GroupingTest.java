package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.coordinator.convert.Converter;
import org.braid.hdfs.coordinator.convert.Restorer;
import org.braid.hdfs.coordinator.session.Claims;
import org.braid.hdfs.coordinator.session.FileBatches;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.RecentClusterState;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.throttle.Background;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.coordinator.throttle.WorkerPacer;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.rpc.NetworkRates;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.throttle.Throttle;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which blocks conversion puts into a stripe, and what becomes of stripes across files. */
final class GroupingTest {
  private static final Random RANDOM = Seeds.random(GroupingTest.class);
  private static final Method IN_ORDER =
      new Method(Encoder.CORE_RACK, Group.ORDER, Encode.GATHER, Homes.RANDOM);

  /** Blocks are downloaded as planned: none is encoded on its way. */
  private static final Method GATHERED =
      new Method(Encoder.CORE_RACK, Group.AUTO, Encode.GATHER, Homes.EVEN);

  @RegisterExtension static final SharedCluster fixture = new SharedCluster(6, 12);

  @AfterEach
  void deleteAll() throws Exception {
    fixture.deleteAll();
  }

  @Test
  void randomlyReplicatedBlocksAreGroupedByRacks() throws Exception {
    fixture.write("/r/f", 60 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/r/g", 31 * ClusterFixture.BLOCK - 700, 3, RANDOM);
    ConvertReport report = fixture.convert(GATHERED, "rs-6-3", "/r");
    ConvertReport.Grouping grouping = report.grouping();
    assertTrue(grouping.order().crossRackDataBlocks() > 15, grouping.toString());
    assertTrue(moves(grouping.chosen()) * 5 <= moves(grouping.order()), grouping.toString());
    assertTrue(
        grouping.chosen().parityBytes() <= 1.02 * grouping.order().parityBytes(),
        grouping.toString());
    // What was planned is what happened.
    assertEquals(List.of(), report.skipped());
    String text = report.toString();
    assertEquals(grouping.chosen().crossRackDataBlocks(), report.crossRackDataBlocks(), text);
    assertEquals(grouping.chosen().relocatedBlocks(), report.relocatedBlocks(), text);
    assertEquals(grouping.chosen().stripes(), report.stripes(), text);
    assertEquals(16, report.stripes());
    fixture.assertConverted("/r");
    fixture.assertReads("/r/f");
    fixture.assertReads("/r/g");
    fixture.assertTolerant("/r");
    fixture.assertClean("/r");
    // Blocks that are in a stripe stay there.
    ConvertReport again = fixture.convertAll("rs-6-3", "/r");
    assertEquals(0, again.stripes());
    assertEquals(ConvertReport.Grouping.NONE, again.grouping());
    assertTrue(again.files().stream().allMatch(ConvertReport.FileResult::already));
  }

  private static int moves(ConvertReport.Planned planned) {
    return planned.crossRackDataBlocks() + planned.relocatedBlocks();
  }

  @Test
  void filesOfManyDirectoriesShareStripesAndMayGo() throws Exception {
    for (int i = 0; i < 12; i++) {
      fixture.write("/many/" + i + "/f", ClusterFixture.BLOCK - 10 * i, 3, RANDOM);
    }
    ConvertReport alone = fixture.convert(IN_ORDER, "rs-6-3", "/many");
    assertEquals(12, alone.skipped().size());
    assertEquals("NO_GAIN", alone.skipped().get(0).cause());
    ConvertReport report = fixture.convertAll("rs-6-3", "/many");
    assertEquals(2, report.stripes());
    assertEquals(12, report.grouping().groupedOtherwise());
    fixture.assertConverted("/many");
    fixture.assertClean("/");

    fixture.fs.delete(new Path("/many/3"), true);
    FsckReport fsck = fixture.fsck("/many");
    List<FsckReport.FileState> degraded =
        fsck.files().stream().filter(f -> f.state() == State.DEGRADED).toList();
    assertEquals(5, degraded.size(), fsck.toString());
    assertTrue(
        degraded.get(0).findings().get(0).why().contains("1 were deleted or changed"),
        degraded.toString());
    assertEquals(2, degraded.get(0).findings().get(0).spare());
    // Those that shared a stripe with it go back to replication, and are converted anew.
    try (Cluster cluster = fixture.braid()) {
      for (FsckReport.FileState file : degraded) {
        assertEquals(1, cluster.restore(file.path(), Progress.SILENT).files().size());
      }
    }
    assertEquals(1, fixture.stripes().size());
    for (int i = 0; i < 12; i++) {
      if (i != 3) {
        fixture.assertReads("/many/" + i + "/f");
      }
    }
    fixture.convertAll(
        "rs-3-2", degraded.stream().map(FsckReport.FileState::path).toArray(String[]::new));
    fixture.assertConverted("/many");
    fixture.assertTolerant("/many");
    fixture.assertClean("/");
  }

  @Test
  void onlyFilesWithTheSameReadersShareStripes() throws Exception {
    for (int i = 0; i < 6; i++) {
      fixture.write("/open/" + i + "/f", ClusterFixture.BLOCK, 3, RANDOM);
      fixture.write("/closed/" + i + "/f", ClusterFixture.BLOCK, 3, RANDOM);
      fixture.write("/secret/" + i, ClusterFixture.BLOCK, 3, RANDOM);
      fixture.fs.setPermission(new Path("/secret/" + i), new FsPermission((short) 0600));
      fixture.fs.setOwner(new Path("/secret/" + i), i < 5 ? "somebody" : "another", null);
    }
    fixture.fs.setPermission(new Path("/closed"), new FsPermission((short) 0700));
    ConvertReport report = fixture.convert("rs-6-3", "/open", "/closed", "/secret");
    assertEquals(1, report.skipped().size(), report.skipped().toString());
    assertEquals("/secret/5", report.skipped().get(0).path());
    for (StripeStatus status : fixture.stripes()) {
      Set<String> tops = new HashSet<>();
      status.members().stream()
          .filter(member -> !member.gone())
          .map(m -> m.path().split("/")[1])
          .filter(top -> !top.equals(".braid"))
          .forEach(tops::add);
      assertEquals(1, tops.size(), tops.toString());
    }
  }

  @Test
  void codesThatNameTheirRacksAreGroupedInOrder() throws Exception {
    fixture.write("/grid/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    RefusedException e =
        assertThrows(
            RefusedException.class,
            () ->
                fixture.convert(
                    new Method(Encoder.CORE_RACK, Group.RETROACTIVE, Encode.AUTO, Homes.EVEN),
                    "rstair-n4-r2-m1-e1-l1",
                    "/grid"));
    assertTrue(e.getMessage().contains("group in order"), e.getMessage());
  }

  private static List<String> paths(List<ConvertReport.FileResult> files) {
    return files.stream().map(ConvertReport.FileResult::path).toList();
  }

  /** Two batches of two directories each, and one of the last. */
  private static FileBatches directories(NameNodeCalls calls) {
    return new FileBatches(calls::filesAfter, List.of("/batch"), 16, 16);
  }

  /** Calls that ask for one file a page. */
  private static NameNodeCalls single() throws IOException {
    Configuration conf = fixture.hdfs.configuration();
    return new NameNodeCalls(new NameNodeLink(FileSystem.getDefaultUri(conf), conf), 1);
  }

  /** A session with what it holds on to, and a lease. */
  private static final class OpenSession implements AutoCloseable {
    private final NameNodeCalls calls = fixture.calls();
    private final Workers workers = new Workers(fixture.hdfs.configuration(), 2000);
    private final Throttles throttles =
        new Throttles(() -> Throttle.NONE, new WorkerPacer(workers), 1.25e9, Ticker.SYSTEM);
    final Session session =
        new Session(
            calls,
            fixture.fs,
            workers,
            calls.leases().acquire("batches").getLease(),
            new RecentClusterState(calls, workers),
            new Claims(Claims.Shared.alone(), Ticker.SYSTEM),
            ClusterFixture.SLICE,
            512,
            NetworkRates.of(fixture.hdfs.configuration()),
            throttles,
            Background.CONVERSION);

    OpenSession() throws IOException {}

    @Override
    public void close() throws IOException {
      calls.leases().release(session.lease());
      throttles.close();
      workers.close();
      calls.close();
    }
  }

  private static ConvertRequest dryRun(Progress progress) {
    ConvertRequest request = ClusterFixture.request(IN_ORDER, "rs-2-1", "/batch");
    return new ConvertRequest(
        request.paths(),
        request.code(),
        request.perRack(),
        request.method(),
        request.parallel(),
        request.sliceBytes(),
        request.seed(),
        progress);
  }

  @Test
  void aDryRunPlansTheNextBatchMeanwhileAndFailsWhereItsFilesCannotBeListed() throws Exception {
    for (int i = 0; i < 20; i++) {
      fixture.write("/batch/d" + i / 4 + "/f" + i, ClusterFixture.BLOCK, 3, RANDOM);
    }
    try (OpenSession open = new OpenSession();
        NameNodeCalls single = single()) {
      Session session = open.session;
      AtomicInteger listed = new AtomicInteger();
      FileBatches.Pages counted =
          (path, after) -> {
            listed.incrementAndGet();
            return single.filesAfter(path, after);
          };
      // A batch is a directory of four files; one more of its weight is listed to see its end.
      List<Integer> ofFirst = new ArrayList<>();
      Progress progress =
          (what, done, total) -> {
            if (ofFirst.isEmpty()) {
              Await.until("files of the second batch are listed", () -> listed.get() > 8);
              ofFirst.add(listed.get());
            }
          };
      ConvertPreview foreseen =
          new Converter(session, dryRun(progress))
              .preview(new FileBatches(counted, List.of("/batch"), 16, 16), Throttle.NONE);
      assertEquals(20, foreseen.files());
      assertEquals(10, foreseen.stripes());
      assertEquals(List.of(), foreseen.leftAlone());
      assertTrue(ofFirst.get(0) <= 12, "listed with the first batch: " + ofFirst);

      FileBatches.Pages broken =
          (path, after) -> {
            if (after.isPresent() && after.get().endsWith("f13")) {
              throw new IOException("the NameNode is gone");
            }
            return single.filesAfter(path, after);
          };
      IOException failure =
          assertThrows(
              IOException.class,
              () ->
                  new Converter(session, dryRun(Progress.SILENT))
                      .preview(new FileBatches(broken, List.of("/batch"), 16, 16), Throttle.NONE));
      assertEquals("the NameNode is gone", failure.getMessage());
    }
  }

  @Test
  void workInBatchesGoesOnWhereItWasBrokenOffAndIsReportedAsOne() throws Exception {
    for (int i = 0; i < 20; i++) {
      fixture.write("/batch/d" + i / 4 + "/f" + i, ClusterFixture.BLOCK, 3, RANDOM);
    }
    try (OpenSession open = new OpenSession()) {
      Session session = open.session;
      AtomicInteger stripes = new AtomicInteger();
      Converter brokenOff =
          new Converter(
              session,
              ClusterFixture.request(IN_ORDER, "rs-2-1", "/batch"),
              () -> stripes.incrementAndGet() > 4);
      ConvertReport first = brokenOff.convert(directories(session.nameNode()));
      assertEquals(8, first.files().size(), first.toString());
      assertEquals(4, first.stripes());
      assertEquals(List.of(), first.skipped());

      ConvertReport rest =
          new Converter(session, ClusterFixture.request(IN_ORDER, "rs-2-1", "/batch"))
              .convert(directories(session.nameNode()));
      assertEquals(20, Set.copyOf(paths(rest.files())).size());
      assertEquals(
          paths(first.files()),
          paths(rest.files().stream().filter(ConvertReport.FileResult::already).toList()));
      assertEquals(6, rest.stripes());
      assertEquals(6, rest.grouping().chosen().stripes());
      assertEquals(ClusterFixture.BLOCK * (8 + 4 + 3 * 12L), rest.storageBefore());
      assertEquals(ClusterFixture.BLOCK * (20 + 10L), rest.storageAfter());
      fixture.assertConverted("/batch");
      fixture.assertClean("/batch");

      RestoreReport restored;
      // Batches of one file, which shares its stripe with others.
      try (NameNodeCalls single = single()) {
        restored =
            new Restorer(session, Progress.SILENT)
                .restore(new FileBatches(single::filesAfter, List.of("/batch/d0"), 1, 1));
      }
      assertEquals(4, restored.files().size(), restored.toString());
      assertEquals(2, restored.parityFilesDeleted());
      assertEquals(ClusterFixture.BLOCK * (4 + 2L), restored.storageBefore());
      assertEquals(ClusterFixture.BLOCK * 12L, restored.storageAfter());
    }
    fixture.assertReads("/batch/d3/f13");
  }

  /** A policy restores again and again what users may have changed meanwhile. */
  @Test
  void aPolicyLeavesARestoredFileTheReplicasThatUsersWant() throws Exception {
    fixture.write("/wish/hot", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/wish/cold", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-2-1", "/wish");
    try (OpenSession open = new OpenSession()) {
      Session session = open.session;
      assertEquals(List.of(new RestoreReport.Restored("/wish/hot", 1, 3)), hot(session).files());
      fixture.fs.setReplication(new Path("/wish/hot"), (short) 2);
      assertEquals(List.of(new RestoreReport.Restored("/wish/hot", 1, 2)), hot(session).files());
      assertEquals(2, fixture.files("/wish/hot").get(0).replication());
      // A user who asks for it now gets what was before.
      RestoreReport asked = new Restorer(session, Progress.SILENT).restore(List.of("/wish/hot"));
      assertEquals(List.of(new RestoreReport.Restored("/wish/hot", 1, 3)), asked.files());
    }
    fixture.assertReads("/wish/hot");
  }

  private static RestoreReport hot(Session session) throws IOException {
    return new Restorer(session, Progress.SILENT, () -> false, 60).restore(List.of("/wish/hot"));
  }

  /** One whose replicas cannot all be made for now. */
  @Test
  void aFileThatIsNotCopiedInTimeKeepsNoOtherFromBeingRestored() throws Exception {
    fixture.write("/wait/many", ClusterFixture.BLOCK, 12, RANDOM);
    fixture.write("/wait/three", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-2-1", "/wait");
    List<Integer> needed = fixture.homes(fixture.stripes().get(0));
    int idle =
        IntStream.range(0, fixture.hdfs.nodes())
            .filter(node -> !needed.contains(node))
            .findFirst()
            .orElseThrow();
    fixture.hdfs.stopNode(idle);
    fixture.fs.setReplication(new Path("/wait/three"), (short) 3);
    fixture.awaitReplicas("/wait/three", 3);
    // It is restored each time, as it has all its copies, until parity goes for both.
    try (OpenSession open = new OpenSession()) {
      Session session = open.session;
      AtomicInteger deleted = new AtomicInteger();
      Await.until(
          "the other file to have a second copy",
          () -> {
            RestoreReport report =
                new Restorer(session, Progress.SILENT, () -> false, 2).restore(List.of("/wait"));
            assertEquals(
                List.of("/wait/many REPLICATING"),
                report.skipped().stream().map(s -> s.path() + " " + s.cause()).toList());
            assertEquals(
                List.of("/wait/three"),
                report.files().stream().map(RestoreReport.Restored::path).toList());
            return deleted.addAndGet(report.parityFilesDeleted()) == 1;
          });
    }
    fixture.startAll();
    fixture.awaitReplicas("/wait/many", 12);
    fixture.assertReads("/wait/many");
  }
}
