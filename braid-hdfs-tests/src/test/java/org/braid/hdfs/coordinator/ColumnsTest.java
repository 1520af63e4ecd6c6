package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.datanode.NodeHeartbeats;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** R-STAIR on HDFS: each column of the stripe in a rack of its own, from writing to repair. */
final class ColumnsTest {
  private static final String CODE = "rstair-n5-r4-m1-e2-l1";
  private static final ErasureCode RSTAIR = Codes.named(CODE);
  private static final Random RANDOM = Seeds.random(ColumnsTest.class);
  private static final int RACKS = 6;

  // HDFS looks at nodes that leave when a test has it look, so that a repair comes first.
  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(RACKS, 5 * RACKS, Map.of("dfs.namenode.decommission.interval", "1h"));

  @AfterEach
  void wakeAll() throws Exception {
    fixture.startAll();
  }

  private static List<Integer> homes(String path) throws Exception {
    return fixture.homes(Movers.stripeOf(fixture, path));
  }

  /** Fails unless each column is in a rack, and no two in the same. */
  private static void assertColumns(String path) throws Exception {
    List<Integer> homes = homes(path);
    List<Integer> columns = RSTAIR.racks().orElseThrow();
    Map<Integer, Integer> rackOf = new HashMap<>();
    for (int block = 0; block < homes.size(); block++) {
      int rack = homes.get(block) % RACKS;
      assertEquals(rack, rackOf.computeIfAbsent(columns.get(block), c -> rack), "block " + block);
    }
    assertEquals(5, new HashSet<>(rackOf.values()).size());
    assertEquals(homes.size(), new HashSet<>(homes).size());
    fixture.assertClean(path);
  }

  private static void convert(String directory) throws Exception {
    fixture.write(directory + "/f", RSTAIR.k() * ClusterFixture.BLOCK - 99, 3, RANDOM);
    fixture.convertAll(CODE, directory);
    fixture.assertConverted(directory);
    assertColumns(directory + "/f");
  }

  @ParameterizedTest
  @ValueSource(strings = {"star", "ppr", "racktree"})
  void aLostNodeIsRepairedInItsRack(String shape) throws Exception {
    String path = "/" + shape + "/f";
    convert("/" + shape);
    int down = homes(path).get(RANDOM.nextInt(RSTAIR.n()));
    fixture.hdfs.stopNode(down);
    RepairReport report = fixture.repair(path, shape);
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size());
    assertEquals(0, report.traffic().crossRackBytes());
    assertTrue(
        report.traffic().inRackBytes() >= 3L * ClusterFixture.BLOCK, report.traffic().toString());
    report
        .examples()
        .get(0)
        .nodes()
        .forEach(node -> assertEquals("/rack" + down % RACKS, node.rack()));
    assertColumns(path);
    fixture.assertReads(path);
  }

  /** Where few blocks are not zeros, some have fewer helpers in other racks than in their own. */
  @Test
  void aShortStripeIsRepairedInTheRackToo() throws Exception {
    String path = "/short/f";
    fixture.write(path, (RSTAIR.k() + 2) * ClusterFixture.BLOCK - 99, 3, RANDOM);
    fixture.convertAll(CODE, "/short");
    StripeStatus stripe = Movers.stripeOf(fixture, path, RSTAIR.k());
    List<Integer> columns = RSTAIR.racks().orElseThrow();
    int parity = columns.indexOf(Collections.max(columns));
    String home = stripe.stripe().member(parity).home();
    fixture.hdfs.stopNode(fixture.hdfs.indexOf(home).orElseThrow());
    RepairReport report = fixture.repair(path, "ppr");
    assertTrue(
        report.repaired().stream()
            .anyMatch(r -> r.block() == parity && r.stripe().equals(stripe.stripe().id())));
    assertEquals(0, report.traffic().crossRackBytes());
    assertTrue(report.traffic().inRackBytes() >= ClusterFixture.BLOCK, report.traffic().toString());
    fixture.assertClean(path);
  }

  @Test
  void dataWrittenForTheCodeIsEncodedWithoutCrossingRacks() throws Exception {
    fixture.ear("/ear", CODE);
    fixture.write("/ear/f", 2 * RSTAIR.k() * ClusterFixture.BLOCK, 3, RANDOM);
    ConvertReport report = fixture.convertAll(CODE, "/ear");
    assertEquals(2, report.stripes());
    assertEquals(0, report.crossRackDataBlocks());
    assertEquals(0, report.relocatedBlocks());
    assertEquals(0, report.relocation().crossRackBytes());
    assertColumns("/ear/f");
  }

  /** A rack goes down: its column moves as a whole to the one rack that has none. */
  @Test
  void aLostRackIsRebuiltInAFreeRack() throws Exception {
    convert("/whole");
    int rack = homes("/whole/f").get(0) % RACKS;
    IntStream.range(0, fixture.hdfs.nodes())
        .filter(node -> node % RACKS == rack)
        .forEach(fixture.hdfs::stopNode);
    fixture.assertReadsDegraded("/whole/f");
    RepairReport report = fixture.repair("/whole/f", "racktree");
    assertEquals(List.of(), report.unrepairable());
    assertEquals(4, report.repaired().size());
    assertColumns("/whole/f");
    fixture.assertReads("/whole/f");
  }

  @Test
  void aBlockInTheWrongColumnIsFoundAndMovedBack() throws Exception {
    convert("/wrong");
    StripeStatus stripe = Movers.stripeOf(fixture, "/wrong/f");
    List<Integer> homes = fixture.homes(stripe);
    int from = homes.get(2);
    int to =
        IntStream.range(0, fixture.hdfs.nodes())
            .filter(node -> node % RACKS != from % RACKS && !homes.contains(node))
            .findFirst()
            .orElseThrow();
    Movers.move(fixture, stripe.stripe().member(2).block(), from, to);
    var finding = fixture.fsck("/wrong/f").files().get(0).findings().get(0);
    assertEquals(State.DEGRADED, finding.state());
    assertTrue(
        finding
            .why()
            .contains(
                "rack /rack%d holds a block of the column of rack /rack%d, each of its 5 columns"
                    .formatted(to % RACKS, from % RACKS)),
        finding.why());
    RepairReport report = fixture.repair("/wrong/f", "chain");
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size());
    fixture.assertConverted("/wrong/f");
    assertColumns("/wrong/f");
    fixture.assertReads("/wrong/f");
    try (Cluster cluster = fixture.braid()) {
      cluster.restore("/wrong", Progress.SILENT);
    }
    for (var block : fixture.files("/wrong/f").get(0).blocks()) {
      for (var replica : block.replicas()) {
        int node = fixture.hdfs.indexOf(replica.node()).orElseThrow();
        assertFalse(Movers.isPinned(fixture, block.block(), node), "still pinned at " + node);
      }
    }
  }

  /** Blocks leave a node that is decommissioned by the rule, not as HDFS would place them. */
  @Test
  void aDecommissionedNodeIsEmptiedWithinItsRacks() throws Exception {
    convert("/leaving");
    int leaving = homes("/leaving/f").get(5);
    var nodes = fixture.hdfs.nameNode().getNamesystem().getBlockManager().getDatanodeManager();
    var node = nodes.getDatanode(fixture.hdfs.uuid(leaving));
    // It does not hear that HDFS wants its block copied, which would be done before Braid has
    // begun.
    NodeHeartbeats.set(fixture.hdfs.dataNode(leaving), false);
    nodes.getDatanodeAdminManager().startDecommission(node);
    try {
      var finding = fixture.fsck("/leaving/f").files().get(0).findings().get(0);
      assertEquals(State.DEGRADED, finding.state());
      assertTrue(finding.why().contains("is being taken out of service"), finding.why());
      RepairReport report = fixture.repair("/leaving/f", "chain");
      assertEquals(List.of(), report.unrepairable());
      assertEquals(1, report.repaired().size());
      assertEquals(0, report.traffic().crossRackBytes());
      assertTrue(!homes("/leaving/f").contains(leaving), "a block stays on the node");
      NodeHeartbeats.set(fixture.hdfs.dataNode(leaving), true);
      assertColumns("/leaving/f");
      Await.until(
          "the node to be decommissioned",
          () -> {
            BlockManagerTestUtil.recheckDecommissionState(nodes);
            return node.isDecommissioned();
          });
      assertColumns("/leaving/f");
      fixture.assertReads("/leaving/f");
    } finally {
      NodeHeartbeats.set(fixture.hdfs.dataNode(leaving), true);
      var namesystem = fixture.hdfs.nameNode().getNamesystem();
      namesystem.writeLock();
      try {
        nodes.getDatanodeAdminManager().stopDecommission(node);
      } finally {
        namesystem.writeUnlock("test");
      }
    }
  }

  @Test
  void tooSmallRacksAreRefusedWithNumbers() throws Exception {
    fixture.write("/small/f", 11 * ClusterFixture.BLOCK, 3, RANDOM);
    // Of a grid of 7 racks with 5 nodes each there are 6.
    RefusedException e =
        assertThrows(
            RefusedException.class, () -> fixture.convert("rstair-n7-r5-m1-e2-l1", "/small"));
    assertTrue(
        e.getMessage().contains("needs 7 racks of 5 nodes")
            && e.getMessage().contains("6 racks that it may use have so many"),
        e.getMessage());
    fixture.assertReads("/small/f");
    assertEquals(3, fixture.files("/small/f").get(0).replication());
  }
}
