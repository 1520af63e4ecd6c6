package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.proto.BraidProtos.MemberStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which blocks conversion puts into a stripe, and what becomes of stripes across files. */
final class GroupingTest {
  private static final Random RANDOM = Seeds.random(GroupingTest.class);
  private static final Method IN_ORDER =
      new Method(Encoder.CORE_RACK, Group.ORDER, Encode.GATHER, Homes.RANDOM);

  /** Blocks are downloaded as planned: none is encoded on its way. */
  private static final Method GATHERED =
      new Method(Encoder.CORE_RACK, Group.AUTO, Encode.GATHER, Homes.EVEN);

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
  void deleteAll() throws Exception {
    lab.deleteAll();
  }

  @Test
  void randomlyReplicatedBlocksAreGroupedByRacks() throws Exception {
    lab.write("/r/f", 60 * Lab.BLOCK, 3, RANDOM);
    lab.write("/r/g", 31 * Lab.BLOCK - 700, 3, RANDOM);
    ConvertReport report = lab.convert(GATHERED, "rs-6-3", "/r");
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
    lab.assertConverted("/r");
    lab.assertReads("/r/f");
    lab.assertReads("/r/g");
    lab.assertTolerant("/r");
    lab.assertClean("/r");
    // Blocks that are in a stripe stay there.
    ConvertReport again = lab.convertAll("rs-6-3", "/r");
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
      lab.write("/many/" + i + "/f", Lab.BLOCK - 10 * i, 3, RANDOM);
    }
    ConvertReport alone = lab.convert(IN_ORDER, "rs-6-3", "/many");
    assertEquals(12, alone.skipped().size());
    assertEquals("NO_GAIN", alone.skipped().get(0).cause());
    ConvertReport report = lab.convertAll("rs-6-3", "/many");
    assertEquals(2, report.stripes());
    assertEquals(12, report.grouping().groupedOtherwise());
    lab.assertConverted("/many");
    lab.assertClean("/");

    lab.fs.delete(new Path("/many/3"), true);
    FsckReport fsck = lab.fsck("/many");
    List<FsckReport.FileState> degraded =
        fsck.files().stream().filter(f -> f.state() == State.DEGRADED).toList();
    assertEquals(5, degraded.size(), fsck.toString());
    assertTrue(
        degraded.get(0).findings().get(0).why().contains("1 were deleted or changed"),
        degraded.toString());
    assertEquals(2, degraded.get(0).findings().get(0).spare());
    // Those that shared a stripe with it go back to replication, and are converted anew.
    try (Cluster cluster = lab.braid()) {
      for (FsckReport.FileState file : degraded) {
        assertEquals(1, cluster.restore(file.path(), Progress.SILENT).files().size());
      }
    }
    assertEquals(1, lab.stripes().size());
    for (int i = 0; i < 12; i++) {
      if (i != 3) {
        lab.assertReads("/many/" + i + "/f");
      }
    }
    lab.convertAll(
        "rs-3-2", degraded.stream().map(FsckReport.FileState::path).toArray(String[]::new));
    lab.assertConverted("/many");
    lab.assertTolerant("/many");
    lab.assertClean("/");
  }

  @Test
  void onlyFilesWithTheSameReadersShareStripes() throws Exception {
    for (int i = 0; i < 6; i++) {
      lab.write("/open/" + i + "/f", Lab.BLOCK, 3, RANDOM);
      lab.write("/closed/" + i + "/f", Lab.BLOCK, 3, RANDOM);
      lab.write("/secret/" + i, Lab.BLOCK, 3, RANDOM);
      lab.fs.setPermission(new Path("/secret/" + i), new FsPermission((short) 0600));
      lab.fs.setOwner(new Path("/secret/" + i), i < 5 ? "somebody" : "another", null);
    }
    lab.fs.setPermission(new Path("/closed"), new FsPermission((short) 0700));
    ConvertReport report = lab.convert("rs-6-3", "/open", "/closed", "/secret");
    assertEquals(1, report.skipped().size(), report.skipped().toString());
    assertEquals("/secret/5", report.skipped().get(0).path());
    for (StripeStatusProto status : lab.stripes()) {
      Set<String> tops = new HashSet<>();
      status.getMembersList().stream()
          .filter(MemberStatusProto::hasPath)
          .map(m -> m.getPath().split("/")[1])
          .filter(top -> !top.equals(".braid"))
          .forEach(tops::add);
      assertEquals(1, tops.size(), tops.toString());
    }
  }

  @Test
  void codesThatNameTheirRacksAreGroupedInOrder() throws Exception {
    lab.write("/grid/f", 3 * Lab.BLOCK, 3, RANDOM);
    RefusedException e =
        assertThrows(
            RefusedException.class,
            () ->
                lab.convert(
                    new Method(Encoder.CORE_RACK, Group.RETROACTIVE, Encode.AUTO, Homes.EVEN),
                    "rstair-n4-r2-m1-e1-l1",
                    "/grid"));
    assertTrue(e.getMessage().contains("group in order"), e.getMessage());
  }
}
