package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.CallerContext;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.namenode.RecordedAudit;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Disks;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversion, loss, repair and restoration on a whole cluster. */
final class LifecycleTest {
  private static final Random RANDOM = Seeds.random(LifecycleTest.class);

  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(6, 12, Map.of("dfs.namenode.audit.loggers", RecordedAudit.class.getName()));

  @AfterEach
  void wakeAll() throws Exception {
    fixture.startAll();
    fixture.deleteAll();
  }

  @Test
  void encodingAwareFilesConvertWithoutCrossingRacks() throws Exception {
    fixture.ear("/ear", "rs-6-3");
    fixture.write("/ear/f", 20 * ClusterFixture.BLOCK + 100, 3, RANDOM);
    ConvertReport report = fixture.convertAll("rs-6-3", "/ear/f");
    assertEquals(4, report.stripes());
    assertEquals(21, report.dataBlocks());
    assertEquals(12, report.parityBlocks());
    assertEquals(0, report.crossRackDataBlocks());
    assertEquals(0, report.relocatedBlocks());
    assertEquals(3L * (20 * ClusterFixture.BLOCK + 100), report.storageBefore());
    assertEquals(
        20L * ClusterFixture.BLOCK + 100 + 9L * ClusterFixture.BLOCK + 3 * ClusterFixture.BLOCK,
        report.storageAfter());
    fixture.assertConverted("/ear/f");
    fixture.assertReads("/ear/f");
    fixture.assertTolerant("/ear");
    fixture.assertClean("/ear");
  }

  @Test
  void randomlyReplicatedFilesConvertToo() throws Exception {
    fixture.write("/random/f", 13 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/random/g", 6 * ClusterFixture.BLOCK - 1, 2, RANDOM);
    ConvertReport report = fixture.convertAll("rs-6-3", "/random");
    assertEquals(2, report.files().size());
    fixture.assertConverted("/random");
    fixture.assertReads("/random/f");
    fixture.assertReads("/random/g");
    fixture.assertTolerant("/random");
    fixture.assertClean("/random");
  }

  @Test
  void aSecondRunFindsEverythingDone() throws Exception {
    fixture.write("/again/f", 7 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/again");
    int stripes = fixture.stripes().size();
    ConvertReport second = fixture.convertAll("rs-3-2", "/again/f");
    assertTrue(second.files().get(0).already());
    assertEquals(0, second.stripes());
    assertEquals(stripes, fixture.stripes().size());
    ConvertReport other = fixture.convert("rs-6-3", "/again/f");
    assertEquals("OTHER_CODE", other.skipped().get(0).cause());
    assertTrue(other.skipped().get(0).reason().contains("rs-3-2"));
  }

  @Test
  void aHundredSmallFilesShareStripes() throws Exception {
    for (int i = 0; i < 100; i++) {
      fixture.write("/small/f" + i, 1 + RANDOM.nextInt(ClusterFixture.BLOCK), 3, RANDOM);
    }
    ConvertReport report = fixture.convert("rs-6-3", "/small");
    assertTrue(report.files().size() >= 96, report.skipped().toString());
    assertTrue(report.storageAfter() < report.storageBefore());
    assertTrue(report.skipped().stream().allMatch(s -> s.cause().equals("NO_GAIN")));
    for (int i = 0; i < 100; i++) {
      fixture.assertReads("/small/f" + i);
    }
    fixture.assertTolerant("/small");
    int node = fixture.heaviestNode();
    fixture.hdfs.stopNode(node);
    assertEquals(List.of(), fixture.repair("/small", "chain").unrepairable());
    for (int i = 0; i < 100; i++) {
      fixture.assertReads("/small/f" + i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"chain", "ppr", "star"})
  void lostBlocksAreReadAndRepaired(String shape) throws Exception {
    fixture.write("/lost/f", 12 * ClusterFixture.BLOCK + 5, 3, RANDOM);
    fixture.convertAll("rs-6-3", "/lost/f");
    int node = fixture.heaviestNode();
    fixture.hdfs.stopNode(node);
    fixture.assertReadsDegraded("/lost/f");
    FsckReport before = fixture.fsck("/lost/f");
    assertTrue(before.files().get(0).state().compareTo(State.DEGRADED) >= 0);
    RepairReport report = fixture.repair("/lost/f", shape);
    assertEquals(List.of(), report.unrepairable());
    assertTrue(!report.repaired().isEmpty());
    assertTrue(report.traffic().busiestLinkBytes() > 0);
    fixture.assertReads("/lost/f");
    fixture.assertTolerant("/lost/f");
    fixture.assertClean("/lost/f");
  }

  @Test
  void asManyLossesAsTheCodeToleratesAreRepairedAndOneMoreIsRefused() throws Exception {
    fixture.write("/many/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-6-3", "/many/f");
    StripeStatus stripe = fixture.stripes().get(fixture.stripes().size() - 1);
    List<Integer> homes = fixture.homes(stripe);
    for (int i = 0; i < 4; i++) {
      fixture.hdfs.stopNode(homes.get(i));
    }
    RepairReport refused = fixture.repair("/many/f", "chain");
    assertEquals(4, refused.unrepairable().size());
    assertTrue(
        refused.unrepairable().get(0).reason().contains("5 of the 9 blocks"),
        refused.unrepairable().get(0).reason());
    assertEquals(State.LOST, fixture.fsck("/many/f").files().get(0).state());
    fixture.start(homes.get(0));
    fixture.assertReadsDegraded("/many/f");
    RepairReport report = fixture.repair("/many/f", "chain");
    assertEquals(List.of(), report.unrepairable());
    fixture.assertReads("/many/f");
    fixture.assertClean("/many/f");
  }

  @Test
  void theOneCopyThatIsInAWrongPlaceIsMoved() throws Exception {
    fixture.write("/stray/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-6-3", "/stray/f");
    fixture.assertConverted("/stray/f");
    StripeStatus stripe = fixture.stripes().get(fixture.stripes().size() - 1);
    List<Integer> homes = fixture.homes(stripe);
    // A node that was away comes back with an old copy of another node's block, which is lost.
    int lost = homes.get(0);
    int taken = homes.get(1);
    BlockIdentity block = stripe.stripe().member(0).block();
    awaitGone(block, taken);
    fixture.hdfs.stopNode(taken);
    Disks.copy(fixture.hdfs, lost, taken, block.id(), block.generation());
    fixture.hdfs.stopNode(lost);
    fixture.start(taken);
    Await.until(
        "the NameNode to list the old copy at node " + fixture.hdfs.nodeName(taken),
        () -> fixture.files("/stray/f").get(0).blocks().get(0),
        seen ->
            seen.replicas().stream()
                .anyMatch(r -> r.node().equals(fixture.hdfs.uuid(taken)) && r.live()));
    FsckReport before = fixture.fsck("/stray/f");
    assertEquals(State.DEGRADED, before.files().get(0).state());
    assertTrue(
        before.files().get(0).findings().get(0).why().contains("holds 2 of its blocks")
            || before.files().get(0).findings().get(0).why().contains("holds 3 of its blocks"),
        before.toString());
    RepairReport report = fixture.repair("/stray/f", "chain");
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size(), report.toString());
    fixture.assertReads("/stray/f");
    fixture.assertClean("/stray/f");
    fixture.assertConverted("/stray/f");
    fixture.assertTolerant("/stray/f");
    fixture.startAll();
    fixture.assertConverted("/stray/f");
    fixture.assertTolerant("/stray/f");
  }

  private static void awaitGone(BlockIdentity block, int node) throws Exception {
    Await.until(
        "node " + node + " to delete its surplus copy",
        () ->
            Disks.file(fixture.hdfs, node, block.id()).isEmpty()
                && fixture.files("/stray/f").stream()
                    .flatMap(f -> f.blocks().stream())
                    .allMatch(b -> b.going().size() == 0));
  }

  @Test
  void restorationBringsReplicationBackAndRemovesParity() throws Exception {
    fixture.write("/back/f", 9 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-6-3", "/back/f");
    fixture.assertConverted("/back/f");
    try (Cluster cluster = fixture.braid()) {
      RestoreReport report = cluster.restore("/back/f", Progress.SILENT);
      assertEquals(3, report.files().get(0).replication());
      assertEquals(2, report.parityFilesDeleted());
    }
    assertEquals(3, fixture.files("/back/f").get(0).replication());
    fixture.awaitReplicas("/back/f", 3);
    fixture.assertReads("/back/f");
    fixture.assertClean("/");
    fixture.convertAll("rs-6-3", "/back/f");
    fixture.assertReads("/back/f");
  }

  @Test
  void deletedFilesTakeTheirParityAlongAtTheNextRun() throws Exception {
    fixture.write("/gone/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-6-3", "/gone/f");
    int stripes = fixture.stripes().size();
    fixture.fs.delete(new Path("/gone/f"), false);
    fixture.repair("/", "chain");
    assertEquals(stripes - 1, fixture.stripes().size());
    fixture.assertClean("/");
  }

  /** DataNodes write parity in threads that have worked for others before. */
  @Test
  void parityIsLoggedInTheContextOfWhoeverConverts() throws Exception {
    CallerContext before = CallerContext.getCurrent();
    try {
      for (String context : List.of("one", "another")) {
        String path = "/logged/" + context;
        fixture.write(path, 12 * ClusterFixture.BLOCK, 3, RANDOM);
        RecordedAudit.clear();
        CallerContext.setCurrent(new CallerContext.Builder(context).build());
        fixture.convertAll("rs-3-2", path);
        RecordedAudit.assertContext("create", BraidPaths.STAGING + "/", context);
      }
    } finally {
      CallerContext.setCurrent(before);
    }
  }

  /**
   * As HBase has them: files that are renamed when they are written and when others take their
   * place, and beside them a log that is open for hours.
   */
  @Test
  void aTableIsConvertedBesideItsOpenLog() throws Exception {
    String region = "/hbase/data/default/t/1588230740";
    String flushed = region + "/.tmp/cf/new";
    String compacted = region + "/cf/old";
    String archived = "/hbase/archive/data/default/t/1588230740/cf/old";
    String mark = region + "/recovered.edits/2.seqid";
    String log = "/hbase/WALs/host,16020,1/host%2C16020%2C1.2";
    String rolled = "/hbase/oldWALs/host%2C16020%2C1.1";
    fixture.write(flushed, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write(compacted, 6 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write(rolled, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write(mark, 0, 3, RANDOM);
    fixture.write(
        log,
        3 * ClusterFixture.BLOCK,
        3,
        RANDOM,
        ClusterFixture.BLOCK + 100,
        () -> {
          assertEquals(
              List.of(log + " UNDER_CONSTRUCTION", flushed + " HIDDEN", mark + " EMPTY"),
              leftAlone(fixture.convert("rs-3-2", "/hbase")));
          fixture.assertConverted(compacted);
          fixture.assertConverted(rolled);
          assertEquals(3, fixture.files(log).get(0).replication());
          rename(flushed, region + "/cf/new");
          rename(compacted, archived);
        });
    fixture.assertReads(log);
    fixture.assertConverted(archived);
    assertEquals(List.of(mark + " EMPTY"), leftAlone(fixture.convert("rs-3-2", "/hbase")));
    fixture.assertConverted(log);
    fixture.assertConverted(region + "/cf/new");
    fixture.assertTolerant("/hbase");
    fixture.hdfs.stopNode(fixture.heaviestNode());
    assertArrayEquals(fixture.content(compacted), fixture.readDegraded(archived));
    assertArrayEquals(fixture.content(flushed), fixture.readDegraded(region + "/cf/new"));
    assertEquals(List.of(), fixture.repair("/hbase", "chain").unrepairable());
    fixture.assertReads(log);
    fixture.assertReads(rolled);
    fixture.assertTolerant("/hbase");
    fixture.assertClean("/hbase");
  }

  private static List<String> leftAlone(ConvertReport report) {
    return report.skipped().stream()
        .map(left -> left.path() + " " + left.cause())
        .sorted()
        .toList();
  }

  private static void rename(String from, String to) throws IOException {
    Path target = new Path(to);
    assertTrue(fixture.fs.mkdirs(target.getParent()));
    assertTrue(fixture.fs.rename(new Path(from), target), from);
  }
}
