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
import org.braid.code.derive.Aim;
import org.braid.code.derive.Repair;
import org.braid.code.derive.RepairSearch;
import org.braid.engine.CellLayout;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.testing.Disks;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repairs of codes with sub-blocks read and move what the codes promise, and no more. */
final class SubBlockTrafficTest {
  private static final Random RANDOM = Seeds.random(SubBlockTrafficTest.class);
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    lab = new Lab(10, 12);
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  @AfterEach
  void wakeAll() throws Exception {
    lab.startAll();
  }

  private static StripeStatusProto converted(String code, String path, int bytes) throws Exception {
    lab.write(path, bytes, 3, RANDOM);
    lab.convertAll(code, path);
    lab.assertConverted(path);
    return stripeOf(path);
  }

  private static double moved(RepairReport report) {
    return (double) (report.traffic().crossRackBytes() + report.traffic().inRackBytes())
        / Lab.BLOCK;
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
    StripeStatusProto stripe = converted(name, path, code.k() * Lab.BLOCK);
    Repair predicted = RepairSearch.find(code, List.of(lost), Aim.BYTES, RepairSearch.Effort.ONE);
    assertEquals(blocks, predicted.traffic());
    lab.hdfs.stopNode(lab.homes(stripe).get(lost));
    RepairReport report = lab.repair(path, "star");
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size());
    assertEquals(blocks, moved(report));
    lab.assertReads(path);
    lab.assertClean(path);
  }

  /** Damage in all that the repair has no need of: had it been read, it would have been noticed. */
  @Test
  void helpersReadNoOtherCells() throws Exception {
    String path = "/cells/f";
    ErasureCode code = Codes.named("rotated-rs-6-3-4");
    StripeStatusProto status = converted(code.name(), path, code.k() * Lab.BLOCK);
    StripeProto stripe = status.getStripe();
    CellLayout layout = Stripes.layout(stripe);
    assertEquals(new CellLayout(4, 512, Lab.BLOCK / 4), layout);
    List<Integer> homes = lab.homes(status);
    Set<SubBlock> needed = Set.copyOf(code.repairSets(Set.of(0)).get(0));
    int damaged = 0;
    for (int i = 1; i < code.n(); i++) {
      for (int s = 0; s < code.alpha(); s++) {
        if (!needed.contains(new SubBlock(i, s))) {
          damage(homes.get(i), stripe.getMembers(i), layout, s);
          damaged++;
        }
      }
    }
    assertEquals(8 * 4 - 16, damaged);
    lab.hdfs.stopNode(homes.get(0));
    RepairReport report = lab.repair(path, "star");
    assertEquals(List.of(), report.unrepairable());
    assertEquals(1, report.repaired().size());
    assertEquals(4.0, moved(report));
    assertTrue(
        report.examples().get(0).nodes().stream().noneMatch(n -> n.reads().contains(8)),
        () -> "block 8 was read: " + report.examples());
    lab.fs.delete(new org.apache.hadoop.fs.Path("/cells"), true);
  }

  private static void damage(int node, MemberProto member, CellLayout layout, int index)
      throws Exception {
    long id = member.getBlock().getId();
    try (RandomAccessFile file =
        new RandomAccessFile(Disks.file(lab.hdfs, node, id).orElseThrow().toFile(), "rw")) {
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
    lab.write("/odd/a", 2 * Lab.BLOCK + 1, 3, RANDOM);
    lab.write("/odd/b", 777, 3, RANDOM);
    lab.write("/odd/c", 5 * Lab.BLOCK + 4097, 3, RANDOM);
    lab.convertAll(code, "/odd");
    lab.assertConverted("/odd");
    for (StripeStatusProto status : lab.stripes()) {
      StripeProto stripe = status.getStripe();
      if (stripe.getCode().equals(code)) {
        long length = Stripes.length(stripe);
        assertEquals(0, length % (8 * 512));
        for (MemberProto parity : stripe.getMembersList().subList(4, 6)) {
          assertEquals(length, parity.getBlock().getLength());
        }
      }
    }
    List<Integer> homes = lab.homes(stripeOf("/odd/a"));
    // How many of the blocks are in its stripe is up to grouping; two are parity.
    lab.hdfs.stopNode(homes.get(0));
    lab.hdfs.stopNode(homes.get(homes.size() - 1));
    for (String path : List.of("/odd/a", "/odd/b", "/odd/c")) {
      lab.assertReadsDegraded(path);
    }
    RepairReport report = lab.repair("/odd", "chain");
    assertEquals(List.of(), report.unrepairable());
    assertNotEquals(0, report.repaired().size());
    for (String path : List.of("/odd/a", "/odd/b", "/odd/c")) {
      lab.assertReads(path);
      lab.assertTolerant(path);
    }
    lab.startAll();
    try (Cluster cluster = lab.braid()) {
      cluster.restore("/odd/c", Progress.SILENT);
    }
    lab.awaitReplicas("/odd/c", 3);
    lab.assertReads("/odd/c");
  }

  private static StripeStatusProto stripeOf(String path) throws Exception {
    long id = lab.files(path).get(0).getBlocks(0).getBlock().getId();
    try (NameNodeCalls calls = lab.calls()) {
      return calls.stripesOf(List.of(id)).get(0);
    }
  }
}
