package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.testing.Disks;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversion, loss, repair and restoration on a whole cluster. */
final class LifecycleTest {
  private static final Random RANDOM = Seeds.random(LifecycleTest.class);
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    lab = new Lab(6, 12);
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  @AfterEach
  void wakeAll() throws Exception {
    lab.startAll();
    lab.deleteAll();
  }

  @Test
  void encodingAwareFilesConvertWithoutCrossingRacks() throws Exception {
    lab.ear("/ear", "rs-6-3");
    lab.write("/ear/f", 20 * Lab.BLOCK + 100, 3, RANDOM);
    ConvertReport report = lab.convertAll("rs-6-3", "/ear/f");
    assertEquals(4, report.stripes());
    assertEquals(21, report.dataBlocks());
    assertEquals(12, report.parityBlocks());
    assertEquals(0, report.crossRackDataBlocks());
    assertEquals(0, report.relocatedBlocks());
    assertEquals(3L * (20 * Lab.BLOCK + 100), report.storageBefore());
    assertEquals(20L * Lab.BLOCK + 100 + 9L * Lab.BLOCK + 3 * Lab.BLOCK, report.storageAfter());
    lab.assertConverted("/ear/f");
    lab.assertReads("/ear/f");
    lab.assertTolerant("/ear");
    lab.assertClean("/ear");
  }

  @Test
  void randomlyReplicatedFilesConvertToo() throws Exception {
    lab.write("/random/f", 13 * Lab.BLOCK, 3, RANDOM);
    lab.write("/random/g", 6 * Lab.BLOCK - 1, 2, RANDOM);
    ConvertReport report = lab.convertAll("rs-6-3", "/random");
    assertEquals(2, report.files().size());
    lab.assertConverted("/random");
    lab.assertReads("/random/f");
    lab.assertReads("/random/g");
    lab.assertTolerant("/random");
    lab.assertClean("/random");
  }

  @Test
  void aSecondRunFindsEverythingDone() throws Exception {
    lab.write("/again/f", 7 * Lab.BLOCK, 3, RANDOM);
    lab.convertAll("rs-3-2", "/again");
    int stripes = lab.stripes().size();
    ConvertReport second = lab.convertAll("rs-3-2", "/again/f");
    assertTrue(second.files().get(0).already());
    assertEquals(0, second.stripes());
    assertEquals(stripes, lab.stripes().size());
    ConvertReport other = lab.convert("rs-6-3", "/again/f");
    assertEquals("OTHER_CODE", other.skipped().get(0).cause());
    assertTrue(other.skipped().get(0).reason().contains("rs-3-2"));
  }

  @Test
  void aHundredSmallFilesShareStripes() throws Exception {
    for (int i = 0; i < 100; i++) {
      lab.write("/small/f" + i, 1 + RANDOM.nextInt(Lab.BLOCK), 3, RANDOM);
    }
    ConvertReport report = lab.convert("rs-6-3", "/small");
    assertTrue(report.files().size() >= 96, report.skipped().toString());
    assertTrue(report.storageAfter() < report.storageBefore());
    assertTrue(report.skipped().stream().allMatch(s -> s.cause().equals("NO_GAIN")));
    for (int i = 0; i < 100; i++) {
      lab.assertReads("/small/f" + i);
    }
    lab.assertTolerant("/small");
    int node = lab.heaviestNode();
    lab.hdfs.stopNode(node);
    assertEquals(List.of(), lab.repair("/small", "chain").unrepairable());
    for (int i = 0; i < 100; i++) {
      lab.assertReads("/small/f" + i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"chain", "ppr", "star"})
  void lostBlocksAreReadAndRepaired(String shape) throws Exception {
    lab.write("/lost/f", 12 * Lab.BLOCK + 5, 3, RANDOM);
    lab.convertAll("rs-6-3", "/lost/f");
    int node = lab.heaviestNode();
    lab.hdfs.stopNode(node);
    lab.assertReadsDegraded("/lost/f");
    FsckReport before = lab.fsck("/lost/f");
    assertTrue(before.files().get(0).state().compareTo(State.DEGRADED) >= 0);
    RepairReport report = lab.repair("/lost/f", shape);
    assertEquals(List.of(), report.unrepairable());
    assertTrue(!report.repaired().isEmpty());
    assertTrue(report.traffic().busiestLinkBytes() > 0);
    lab.assertReads("/lost/f");
    lab.assertTolerant("/lost/f");
    lab.assertClean("/lost/f");
  }

  @Test
  void asManyLossesAsTheCodeToleratesAreRepairedAndOneMoreIsRefused() throws Exception {
    lab.write("/many/f", 6 * Lab.BLOCK, 3, RANDOM);
    lab.convertAll("rs-6-3", "/many/f");
    StripeStatusProto stripe = lab.stripes().get(lab.stripes().size() - 1);
    List<Integer> homes = lab.homes(stripe);
    for (int i = 0; i < 4; i++) {
      lab.hdfs.stopNode(homes.get(i));
    }
    RepairReport refused = lab.repair("/many/f", "chain");
    assertEquals(4, refused.unrepairable().size());
    assertTrue(
        refused.unrepairable().get(0).reason().contains("5 of the 9 blocks"),
        refused.unrepairable().get(0).reason());
    assertEquals(State.LOST, lab.fsck("/many/f").files().get(0).state());
    lab.start(homes.get(0));
    lab.assertReadsDegraded("/many/f");
    RepairReport report = lab.repair("/many/f", "chain");
    assertEquals(List.of(), report.unrepairable());
    lab.assertReads("/many/f");
    lab.assertClean("/many/f");
  }

  @Test
  void theOneCopyThatIsInAWrongPlaceIsMoved() throws Exception {
    lab.write("/stray/f", 6 * Lab.BLOCK, 3, RANDOM);
    lab.convertAll("rs-6-3", "/stray/f");
    lab.assertConverted("/stray/f");
    StripeStatusProto stripe = lab.stripes().get(lab.stripes().size() - 1);
    List<Integer> homes = lab.homes(stripe);
    // A node that was away comes back with an old copy of another node's block, which is lost.
    int lost = homes.get(0);
    int taken = homes.get(1);
    BlockProto block = stripe.getStripe().getMembers(0).getBlock();
    awaitGone(block, taken);
    lab.hdfs.stopNode(taken);
    Disks.copy(lab.hdfs, lost, taken, block.getId(), block.getGeneration());
    lab.hdfs.stopNode(lost);
    lab.start(taken);
    assertTrue(
        Waiting.until(
            30_000,
            () ->
                lab.files("/stray/f").get(0).getBlocks(0).getReplicasList().stream()
                    .anyMatch(r -> r.getNode().equals(lab.hdfs.uuid(taken)) && r.getLive())),
        "the NameNode does not list the old copy at node "
            + lab.hdfs.nodeName(taken)
            + ":"
            + lab.story(lab.files("/stray/f").get(0).getBlocks(0)));
    FsckReport before = lab.fsck("/stray/f");
    assertEquals(State.DEGRADED, before.files().get(0).state());
    assertTrue(
        before.files().get(0).findings().get(0).why().contains("holds 2 of its blocks")
            || before.files().get(0).findings().get(0).why().contains("holds 3 of its blocks"),
        before.toString());
    RepairReport report = lab.repair("/stray/f", "chain");
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size(), report.toString());
    lab.assertReads("/stray/f");
    lab.assertClean("/stray/f");
    lab.assertConverted("/stray/f");
    lab.assertTolerant("/stray/f");
    lab.startAll();
    lab.assertConverted("/stray/f");
    lab.assertTolerant("/stray/f");
  }

  private static void awaitGone(BlockProto block, int node) throws Exception {
    assertTrue(
        Waiting.until(
            30_000,
            () ->
                Disks.file(lab.hdfs, node, block.getId()).isEmpty()
                    && lab.files("/stray/f").stream()
                        .flatMap(f -> f.getBlocksList().stream())
                        .allMatch(b -> b.getGoingCount() == 0)),
        "node " + node + " has not deleted its surplus copy");
  }

  @Test
  void restorationBringsReplicationBackAndRemovesParity() throws Exception {
    lab.write("/back/f", 9 * Lab.BLOCK, 3, RANDOM);
    lab.convertAll("rs-6-3", "/back/f");
    lab.assertConverted("/back/f");
    try (Cluster cluster = lab.braid()) {
      RestoreReport report = cluster.restore("/back/f", Progress.SILENT);
      assertEquals(3, report.files().get(0).replication());
      assertEquals(2, report.parityFilesDeleted());
    }
    assertEquals(3, lab.files("/back/f").get(0).getReplication());
    lab.awaitReplicas("/back/f", 3);
    lab.assertReads("/back/f");
    lab.assertClean("/");
    lab.convertAll("rs-6-3", "/back/f");
    lab.assertReads("/back/f");
  }

  @Test
  void deletedFilesTakeTheirParityAlongAtTheNextRun() throws Exception {
    lab.write("/gone/f", 6 * Lab.BLOCK, 3, RANDOM);
    lab.convertAll("rs-6-3", "/gone/f");
    int stripes = lab.stripes().size();
    lab.fs.delete(new Path("/gone/f"), false);
    lab.repair("/", "chain");
    assertEquals(stripes - 1, lab.stripes().size());
    lab.assertClean("/");
  }
}
