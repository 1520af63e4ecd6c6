package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * DataNodes without room: what needs some is left alone with the reason and numbers, every file is
 * read, and once there is room the same command does it.
 */
final class FullClusterTest {
  private static final int NODES = 8;

  /** The nodes share a disk whose room changes while the test runs, by less than this. */
  private static final long MARGIN = 1L << 30;

  private static final Random RANDOM = Seeds.random(FullClusterTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(4, NODES);
  private final List<Runnable> filled = new ArrayList<>();

  @AfterEach
  void end() throws IOException {
    makeRoom();
    fixture.startAll();
  }

  private void makeRoom() throws IOException {
    filled.forEach(Runnable::run);
    filled.clear();
    awaitRoom(NODES);
  }

  /** Leaves those of some nodes that run no room. */
  private void fill(IntPredicate which) throws IOException {
    int with = NODES;
    for (int node = 0; node < NODES; node++) {
      if (!which.test(node) || !fixture.hdfs.runs(node)) {
        continue;
      }
      with--;
      try (FsVolumeReferences volumes =
          fixture.hdfs.dataNode(node).getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          long bytes = ((FsVolumeImpl) volume).getAvailable() + MARGIN;
          volume.reserveSpaceForReplica(bytes);
          filled.add(() -> volume.releaseReservedSpace(bytes));
        }
      }
    }
    awaitRoom(with);
  }

  private static void awaitRoom(int nodes) throws IOException {
    try (NameNodeCalls calls = fixture.calls()) {
      Await.until(
          nodes + " nodes to have room",
          () ->
              calls.cluster().getDatanodesList().stream()
                      .filter(node -> node.getRemaining() > 100L * ClusterFixture.BLOCK)
                      .count()
                  == nodes);
    }
  }

  private static void assertUntouched(List<StoredFile> before, String path) throws IOException {
    assertEquals(before, fixture.files(path));
    Path staging = new Path(BraidPaths.STAGING);
    assertEquals(0, fixture.fs.exists(staging) ? fixture.fs.listStatus(staging).length : 0);
  }

  @Test
  void aConversionWithoutRoomForParityLeavesFilesAsTheyAre() throws Exception {
    fixture.write("/full/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    List<StoredFile> before = fixture.files("/full/f");
    int stripes = fixture.stripes().size();
    fill(node -> true);
    ConvertPreview preview;
    try (Cluster cluster = fixture.braid()) {
      preview = cluster.preview(ClusterFixture.request("rs-3-2", "/full"));
    }
    ConvertReport report = fixture.convert("rs-3-2", "/full");
    assertEquals(report.skipped(), preview.leftAlone());
    assertEquals(1, report.skipped().size(), report.toString());
    Skipped skipped = report.skipped().get(0);
    assertEquals("REFUSED", skipped.cause());
    assertTrue(
        skipped.reason().contains("8 of the 8 nodes that may get blocks have no room for one of"),
        skipped.reason());
    assertUntouched(before, "/full/f");
    assertEquals(stripes, fixture.stripes().size());
    fixture.assertReads("/full/f");
    makeRoom();
    fixture.convertAll("rs-3-2", "/full");
    fixture.assertClean("/full");
  }

  /**
   * Two nodes are full: what they have may stay; parity and what has to move goes to the others.
   */
  @Test
  void fullNodesGetNothing() throws Exception {
    fixture.write("/some/f", 12 * ClusterFixture.BLOCK, 3, RANDOM);
    Set<String> there = new HashSet<>();
    for (BlockStatus block : fixture.files("/some/f").get(0).blocks()) {
      block.replicas().forEach(replica -> there.add(block.block().id() + replica.node()));
    }
    fill(node -> node < 2);
    fixture.convertAll("rs-3-2", "/some");
    List<String> full = List.of(fixture.hdfs.uuid(0), fixture.hdfs.uuid(1));
    for (StripeStatus status : fixture.stripes()) {
      if (status.member(0).path().equals("/some/f")) {
        for (Member member : status.stripe().members()) {
          assertTrue(
              !full.contains(member.home()) || there.contains(member.block().id() + member.home()),
              status.toString());
        }
      }
    }
    fixture.assertConverted("/some/f");
    fixture.assertTolerant("/some");
    fixture.assertReads("/some/f");
  }

  /** What is lost stays readable from the stripe, and is rebuilt when there is room. */
  @Test
  void aRepairWithoutRoomSaysSoAndReadsGoOn() throws Exception {
    fixture.write("/lost/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/lost");
    fixture.assertConverted("/lost/f");
    int lost = fixture.heaviestNode();
    fixture.hdfs.stopNode(lost);
    fixture.hdfs.awaitDead(lost);
    fill(node -> true);
    RepairReport report = fixture.repair("/lost", "chain");
    assertTrue(!report.unrepairable().isEmpty(), report.toString());
    report
        .unrepairable()
        .forEach(
            block ->
                assertTrue(block.reason().contains("have no room for one of"), block.toString()));
    assertEquals(0, report.repaired().size());
    fixture.assertReadsDegraded("/lost/f");
    makeRoom();
    assertEquals(List.of(), fixture.repair("/lost", "chain").unrepairable());
    fixture.assertClean("/lost");
  }
}
