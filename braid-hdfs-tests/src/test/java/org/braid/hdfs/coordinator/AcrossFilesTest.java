package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.braid.code.Codes;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.placement.rule.StripeRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Encoding-aware replication with stripes across files, by setting and by configuration. */
final class AcrossFilesTest {
  private static final Random RANDOM = Seeds.random(AcrossFilesTest.class);
  private static ClusterFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    Map<String, String> properties = new HashMap<>(ClusterFixture.PATIENT);
    properties.put("braid.ear.default", "rs-4-2,layout=all-different,policy=random");
    fixture = new ClusterFixture(8, 24, properties);
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  /** Files of fewer than k blocks, and a restart in between. */
  @Test
  void smallFilesFormTheStripesThatWereForeseenAfterARestart() throws Exception {
    fixture.ear("/small", "rs-4-2,c=1,across");
    // A deleted block that waited for its stripe leaves no gap.
    fixture.write("/small/deleted", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.fs.delete(new Path("/small/deleted"), false);
    List<String> paths = new ArrayList<>();
    int blocks = 0;
    for (int i = 0; i < 40; i++) {
      if (i == 20) {
        fixture.restartNameNode();
      }
      String path = "/small/" + i % 7 + "/" + i;
      int count = 1 + i % 3;
      fixture.write(path, count * ClusterFixture.BLOCK - i % 2, 3, RANDOM);
      paths.add(path);
      blocks += count;
    }
    ForeseenStripes foreseen =
        ForeseenStripes.of(
            fixture,
            "/small",
            nodes -> StripeRules.on(Codes.named("rs-4-2"), OptionalInt.of(1), nodes));
    ConvertReport report = fixture.convertAll("rs-4-2", "/small");
    assertEquals(blocks, report.dataBlocks());
    foreseen.assertFormed(report);
    assertTrue(
        report.grouping().order().crossRackDataBlocks() > blocks / 4, report.grouping().toString());
    fixture.assertConverted("/small");
    for (String path : paths) {
      fixture.assertReads(path);
    }
    fixture.assertTolerant("/small");
    fixture.assertClean("/small");
  }

  /** Stripes that were foreseen are not worth long parity for short blocks. */
  @Test
  void blocksOfAllLengthsTakeNoMoreParityThanInOrder() throws Exception {
    fixture.ear("/mixed", "rs-4-2,c=1,across");
    for (int i = 0; i < 16; i++) {
      fixture.write("/mixed/" + i, i % 2 == 0 ? ClusterFixture.BLOCK : 1000, 3, RANDOM);
    }
    ConvertReport report = fixture.convertAll("rs-4-2", "/mixed");
    ConvertReport.Grouping grouping = report.grouping();
    assertTrue(
        grouping.chosen().parityBytes() <= 1.02 * grouping.order().parityBytes(),
        grouping.toString());
    fixture.assertConverted("/mixed");
    fixture.assertTolerant("/mixed");
    fixture.assertClean("/mixed");
  }

  /** The NameNode's configuration counts where no directory has a setting. */
  @Test
  void theDefaultSettingCounts() throws Exception {
    fixture.write("/plain/f", 12 * ClusterFixture.BLOCK, 4, RANDOM);
    for (StoredFile file : fixture.files("/plain/f")) {
      for (BlockStatus block : file.blocks()) {
        Set<String> racks = new HashSet<>();
        block.replicas().forEach(replica -> racks.add(fixture.rack(replica.node())));
        assertEquals(4, racks.size(), racks.toString());
      }
    }
  }

  /** R' racks when it is written, and R' racks when it is converted. */
  @Test
  void stripesStayInTheirTargetRacks() throws Exception {
    fixture.ear("/target", "rs-4-2,c=2,racks=3");
    fixture.write("/target/f", 16 * ClusterFixture.BLOCK, 3, RANDOM);
    ConvertReport report;
    try (var cluster = fixture.braid()) {
      var normal = ClusterFixture.request("rs-4-2", "/target");
      report =
          cluster.convert(
              new org.braid.hdfs.api.ConvertRequest(
                  normal.paths(),
                  normal.code(),
                  OptionalInt.of(2),
                  OptionalInt.of(3),
                  java.util.Optional.empty(),
                  1,
                  normal.method(),
                  2,
                  ClusterFixture.SLICE,
                  7,
                  normal.progress()));
    }
    assertEquals(List.of(), report.skipped());
    assertEquals(0, report.crossRackDataBlocks());
    assertEquals(0, report.relocatedBlocks());
    try (NameNodeCalls calls = fixture.calls()) {
      var ids = fixture.files("/target").get(0).blocks().stream().map(b -> b.block().id()).toList();
      for (var status : calls.stripesOf(ids)) {
        Set<String> racks = new HashSet<>();
        status.stripe().members().forEach(m -> racks.add(fixture.rack(m.home())));
        assertEquals(3, status.stripe().promise().targetRacks().size());
        assertEquals(3, racks.size(), racks.toString());
      }
    }
    fixture.assertClean("/target");
  }
}
