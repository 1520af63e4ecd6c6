package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.State;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.RestoreReport;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A file of as many blocks as HDFS permits by default ({@code
 * dfs.namenode.fs-limits.max-blocks-per-file}).
 */
@EnabledIfSystemProperty(named = "braid.long", matches = "true")
final class LargeFileTest {
  private static final Random RANDOM = Seeds.random(LargeFileTest.class);
  private static final int BLOCKS = 10_000;
  private static final int PARALLEL = 8;
  private static final String FILE = "/large/f";

  /** HDFS copies more blocks at once than it would for the sake of users. */
  private static final Map<String, String> HURRIED =
      Map.of(
          "dfs.namenode.fs-limits.max-blocks-per-file",
          Integer.toString(BLOCKS),
          "dfs.namenode.replication.work.multiplier.per.iteration",
          "20",
          "dfs.namenode.replication.max-streams",
          "40",
          "dfs.namenode.replication.max-streams-hard-limit",
          "80");

  @Test
  void aFileOfTenThousandBlocksIsConvertedReadRepairedAndRestored() throws Exception {
    try (ClusterFixture fixture = new ClusterFixture(6, 12, HURRIED)) {
      fixture.write(FILE, BLOCKS * ClusterFixture.BLOCK, 2, RANDOM);
      ConvertReport converted = convert(fixture);
      assertEquals(List.of(), converted.skipped());
      assertEquals(BLOCKS, converted.dataBlocks());
      assertEquals(2L * BLOCKS * ClusterFixture.BLOCK, converted.storageBefore());
      assertTrue(converted.storageAfter() < converted.storageBefore(), converted.toString());
      fixture.assertConverted(FILE);
      fixture.assertClean("/large");

      fixture.hdfs.stopNode(fixture.heaviestNode());
      fixture.assertReadsDegraded(FILE);
      FsckReport lost = fixture.fsck(FILE);
      assertEquals(1, lost.files().size());
      assertTrue(lost.files().get(0).state().compareTo(State.DEGRADED) >= 0);
      try (Cluster cluster = fixture.braid()) {
        RepairRequest request =
            new RepairRequest(
                "/large", "chain", PARALLEL, ClusterFixture.BLOCK, 11, Progress.SILENT);
        assertEquals(List.of(), cluster.repair(request).unrepairable());
      }
      fixture.assertReads(FILE);
      fixture.assertClean("/large");

      fixture.startAll();
      try (Cluster cluster = fixture.braid()) {
        RestoreReport restored = cluster.restore(FILE, Progress.SILENT);
        assertEquals(List.of(), restored.skipped());
        assertEquals(List.of(new RestoreReport.Restored(FILE, BLOCKS, 2)), restored.files());
      }
      assertEquals(List.of(), fixture.stripes());
      fixture.assertReads(FILE);
    }
  }

  private static ConvertReport convert(ClusterFixture fixture) throws Exception {
    try (Cluster cluster = fixture.braid()) {
      return cluster.convert(
          new ConvertRequest(
              List.of(FILE),
              "rs-6-3",
              OptionalInt.empty(),
              ConvertRequest.Method.DEFAULT,
              PARALLEL,
              ClusterFixture.BLOCK,
              1,
              Progress.SILENT));
    }
  }
}
