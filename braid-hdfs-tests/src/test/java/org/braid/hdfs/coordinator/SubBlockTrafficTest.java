package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.code.SubBlock;
import org.braid.code.derive.Repair;
import org.braid.code.derive.RepairAim;
import org.braid.code.derive.RepairSearch;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Disks;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repairs of codes with sub-blocks read and move what the codes promise, and no more. */
final class SubBlockTrafficTest {
  private static final Random RANDOM = Seeds.random(SubBlockTrafficTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(10, 12);

  @AfterEach
  void wakeAll() throws Exception {
    fixture.startAll();
  }

  private static StripeStatus converted(String code, String path, int bytes) throws Exception {
    fixture.write(path, bytes, 3, RANDOM);
    fixture.convertAll(code, path);
    fixture.assertConverted(path);
    return stripeOf(path);
  }

  private static double moved(RepairReport report) {
    return (double) (report.traffic().crossRackBytes() + report.traffic().inRackBytes())
        / ClusterFixture.BLOCK;
  }

  @ParameterizedTest
  @CsvSource({
    "rotated-rs-6-3-4, 0, 4.0",
    "rotated-rs-6-3-4, 7, 6.0",
    "hitchhiker-xor-6-3, 0, 4.5",
    "clay-4-2-5, 3, 2.5",
    "clay-4-2-5, 5, 2.5"
  })
  void aRepairMovesWhatIsPredicted(String name, int lost, double blocks) throws Exception {
    ErasureCode code = Codes.named(name);
    String path = "/" + name + lost + "/f";
    StripeStatus stripe = converted(name, path, code.k() * ClusterFixture.BLOCK);
    Repair predicted =
        RepairSearch.find(code, List.of(lost), RepairAim.BYTES, RepairSearch.Effort.ONE);
    assertEquals(blocks, predicted.traffic());
    fixture.hdfs.stopNode(fixture.homes(stripe).get(lost));
    RepairReport report = fixture.repair(path, "star");
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size());
    assertEquals(blocks, moved(report));
    fixture.assertReads(path);
    fixture.assertClean(path);
  }

  /** Damage in all that the repair has no need of: had it been read, it would have been noticed. */
  @Test
  void helpersReadNoOtherCells() throws Exception {
    String path = "/cells/f";
    ErasureCode code = Codes.named("rotated-rs-6-3-4");
    StripeStatus status = converted(code.name(), path, code.k() * ClusterFixture.BLOCK);
    Stripe stripe = status.stripe();
    CellLayout layout = stripe.layout();
    assertEquals(new CellLayout(4, 512, ClusterFixture.BLOCK / 4), layout);
    List<Integer> homes = fixture.homes(status);
    Set<SubBlock> needed = Set.copyOf(code.repairSets(Set.of(0)).get(0));
    int damaged = 0;
    for (int i = 1; i < code.n(); i++) {
      for (int s = 0; s < code.alpha(); s++) {
        if (!needed.contains(new SubBlock(i, s))) {
          damage(homes.get(i), stripe.member(i), layout, s);
          damaged++;
        }
      }
    }
    assertEquals(8 * 4 - 16, damaged);
    fixture.hdfs.stopNode(homes.get(0));
    RepairReport report = fixture.repair(path, "star");
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size());
    assertEquals(4.0, moved(report));
    assertTrue(
        report.examples().get(0).nodes().stream().noneMatch(n -> n.reads().contains(8)),
        () -> "block 8 was read: " + report.examples());
    fixture.fs.delete(new org.apache.hadoop.fs.Path("/cells"), true);
  }

  private static void damage(int node, Member member, CellLayout layout, int index)
      throws Exception {
    long id = member.block().id();
    try (RandomAccessFile file =
        new RandomAccessFile(Disks.file(fixture.hdfs, node, id).orElseThrow().toFile(), "rw")) {
      for (long at = 0; at < layout.unit(); at += layout.run(at)) {
        file.seek(layout.inBlock(index, at) + 100);
        int old = file.read();
        file.seek(layout.inBlock(index, at) + 100);
        file.write(old ^ 1);
      }
    }
  }

  /** Blocks of lengths that no number of sub-blocks fits. */
  @Test
  void shortBlocksAndSharedStripesComeBack() throws Exception {
    String code = "clay-4-2-5";
    fixture.write("/odd/a", 2 * ClusterFixture.BLOCK + 1, 3, RANDOM);
    fixture.write("/odd/b", 777, 3, RANDOM);
    fixture.write("/odd/c", 5 * ClusterFixture.BLOCK + 4097, 3, RANDOM);
    fixture.convertAll(code, "/odd");
    fixture.assertConverted("/odd");
    for (StripeStatus status : fixture.stripes()) {
      Stripe stripe = status.stripe();
      if (stripe.recordedCode().original().equals(code)) {
        long length = stripe.blockLength();
        assertEquals(0, length % (8 * 512));
        for (Member parity : stripe.members().subList(4, 6)) {
          assertEquals(length, parity.block().length());
        }
      }
    }
    List<Integer> homes = fixture.homes(stripeOf("/odd/a"));
    // How many of the blocks are in its stripe is up to grouping; two are parity.
    fixture.hdfs.stopNode(homes.get(0));
    fixture.hdfs.stopNode(homes.get(homes.size() - 1));
    for (String path : List.of("/odd/a", "/odd/b", "/odd/c")) {
      fixture.assertReadsDegraded(path);
    }
    RepairReport report = fixture.repair("/odd", "chain");
    assertEquals(List.of(), report.unrepairable());
    assertNotEquals(0, report.repaired().size());
    for (String path : List.of("/odd/a", "/odd/b", "/odd/c")) {
      fixture.assertReads(path);
      fixture.assertTolerant(path);
    }
    fixture.startAll();
    try (Cluster cluster = fixture.braid()) {
      cluster.restore("/odd/c", Progress.SILENT);
    }
    fixture.awaitReplicas("/odd/c", 3);
    fixture.assertReads("/odd/c");
  }

  private static StripeStatus stripeOf(String path) throws Exception {
    long id = fixture.files(path).get(0).blocks().get(0).block().id();
    try (NameNodeCalls calls = fixture.calls()) {
      return calls.stripesOf(List.of(id)).get(0);
    }
  }
}
