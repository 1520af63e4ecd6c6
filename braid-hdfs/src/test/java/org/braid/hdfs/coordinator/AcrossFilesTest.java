package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Encoding-aware replication with stripes across files, by setting and by configuration. */
final class AcrossFilesTest {
  private static final Random RANDOM = Seeds.random(AcrossFilesTest.class);
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    lab = new Lab(8, 24, Map.of("braid.ear.default", "rs-4-2,layout=all-different,policy=random"));
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  /** Files of fewer than k blocks, some deleted, and a restart in between. */
  @Test
  void smallFilesConvertWithoutDownloadsAfterARestart() throws Exception {
    lab.ear("/small", "rs-4-2,c=1,across");
    List<String> paths = new ArrayList<>();
    int blocks = 0;
    for (int i = 0; i < 60; i++) {
      if (i == 30) {
        lab.restartNameNode();
      }
      String path = "/small/" + i % 7 + "/" + i;
      int count = 1 + i % 3;
      lab.write(path, count * Lab.BLOCK - i % 2, 3, RANDOM);
      if (i % 20 == 9) {
        lab.fs.delete(new Path(path), false);
      } else {
        paths.add(path);
        blocks += count;
      }
    }
    ConvertReport report = lab.convertAll("rs-4-2", "/small");
    assertEquals(blocks, report.dataBlocks());
    // Of stripes that were never full a block may be left over, which alone is not worth parity.
    assertTrue(report.crossRackDataBlocks() <= 1, report.grouping().toString());
    assertEquals(0, report.relocatedBlocks(), report.grouping().toString());
    assertTrue(
        report.grouping().order().crossRackDataBlocks() > blocks / 4, report.grouping().toString());
    assertTrue(report.stripes() <= blocks / 4 + 14, report.stripes() + " stripes");
    lab.assertConverted("/small");
    for (String path : paths) {
      lab.assertReads(path);
    }
    lab.assertTolerant("/small");
    lab.assertClean("/small");
  }

  /** The NameNode's configuration counts where no directory has a setting. */
  @Test
  void theDefaultSettingCounts() throws Exception {
    lab.write("/plain/f", 12 * Lab.BLOCK, 4, RANDOM);
    for (FileProto file : lab.files("/plain/f")) {
      for (BlockStatusProto block : file.getBlocksList()) {
        Set<String> racks = new HashSet<>();
        block.getReplicasList().forEach(replica -> racks.add(lab.rack(replica.getNode())));
        assertEquals(4, racks.size(), racks.toString());
      }
    }
  }

  /** R' racks when it is written, and R' racks when it is converted. */
  @Test
  void stripesStayInTheirTargetRacks() throws Exception {
    lab.ear("/target", "rs-4-2,c=2,racks=3");
    lab.write("/target/f", 16 * Lab.BLOCK, 3, RANDOM);
    ConvertReport report;
    try (var cluster = lab.braid()) {
      var normal = Lab.request("rs-4-2", "/target");
      report =
          cluster.convert(
              new org.braid.hdfs.api.ConvertRequest(
                  normal.paths(),
                  normal.code(),
                  java.util.OptionalInt.of(2),
                  java.util.OptionalInt.of(3),
                  java.util.Optional.empty(),
                  1,
                  normal.method(),
                  2,
                  Lab.SLICE,
                  7,
                  normal.progress()));
    }
    assertEquals(List.of(), report.skipped());
    assertEquals(0, report.crossRackDataBlocks());
    assertEquals(0, report.relocatedBlocks());
    try (NameNodeCalls calls = lab.calls()) {
      var ids =
          lab.files("/target").get(0).getBlocksList().stream()
              .map(b -> b.getBlock().getId())
              .toList();
      for (var status : calls.stripesOf(ids)) {
        Set<String> racks = new HashSet<>();
        status.getStripe().getMembersList().forEach(m -> racks.add(lab.rack(m.getHome())));
        assertEquals(3, status.getStripe().getTargetRacksCount());
        assertEquals(3, racks.size(), racks.toString());
      }
    }
    lab.assertClean("/target");
  }

  /** Every policy, with each layout and with 2 to 8 replicas, is there by its name. */
  @Test
  void policiesAndLayoutsAreReachable() throws Exception {
    int number = 0;
    for (String setting :
        List.of(
            "rs-4-2,policy=random,layout=two-racks",
            "rs-4-2,policy=preliminary",
            "rs-4-2,policy=ear,layout=all-different",
            "rs-4-2,policy=ear,layout=two-racks,across",
            "lrc-4-2-1,policy=ear-lrc")) {
      for (int replicas : new int[] {2, 3, 8}) {
        if (replicas == 8 && setting.contains("two-racks")) {
          continue; // racks have 3 nodes
        }
        String directory = "/policy" + number++;
        lab.ear(directory, setting);
        lab.write(directory + "/f", 4 * Lab.BLOCK, replicas, RANDOM);
        for (BlockStatusProto block : lab.files(directory).get(0).getBlocksList()) {
          Set<String> racks = new HashSet<>();
          block.getReplicasList().forEach(replica -> racks.add(lab.rack(replica.getNode())));
          int expected = setting.contains("all-different") ? replicas : 2;
          assertTrue(
              replicas == 8 || racks.size() == expected, setting + " " + replicas + " " + racks);
        }
        if (setting.contains("policy=ear") && !setting.contains("across")) {
          ConvertReport report = lab.convertAll(setting.split(",")[0], directory);
          assertEquals(0, report.relocatedBlocks(), setting);
          assertEquals(0, report.crossRackDataBlocks(), setting);
        }
      }
    }
  }
}
