package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.Progress;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two NameNodes: what one promised the other one keeps. */
final class FailoverTest {
  private static final Random RANDOM = Seeds.random(FailoverTest.class);
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    // With a node away HDFS would wait in safe mode for its blocks.
    lab = new Lab(1, 6, 12, Map.of("dfs.namenode.safemode.threshold-pct", "0.5"), 2);
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  @AfterEach
  void wakeAll() throws Exception {
    lab.startAll();
  }

  /** Stripes within a file, which the other NameNode goes on with where the first one stopped. */
  @Test
  void aFileWrittenOverAFailoverIsEncodedAsPromised() throws Exception {
    lab.ear("/within", "rs-4-2");
    for (int before : new int[] {5 * Lab.BLOCK, 6 * Lab.BLOCK + 100, 8 * Lab.BLOCK}) {
      String path = "/within/" + before;
      lab.write(path, 16 * Lab.BLOCK, 3, RANDOM, before, lab::failOver);
      lab.assertReads(path);
    }
    ConvertReport report = lab.convertAll("rs-4-2", "/within");
    assertEquals(12, report.stripes());
    assertEquals(0, report.crossRackDataBlocks(), report.grouping().toString());
    assertEquals(0, report.relocatedBlocks(), report.grouping().toString());
    lab.assertConverted("/within");
    lab.assertTolerant("/within");
    lab.assertClean("/within");
  }

  /** Stripes across files are kept nowhere but in the places of the blocks. */
  @Test
  void filesWrittenBeforeAndAfterAFailoverShareStripes() throws Exception {
    lab.ear("/across", "rs-4-2,across");
    for (int i = 0; i < 30; i++) {
      if (i == 15) {
        lab.failOver();
      }
      lab.write("/across/" + i, 2 * Lab.BLOCK, 3, RANDOM);
    }
    ConvertReport report = lab.convertAll("rs-4-2", "/across");
    // Of stripes that were never full a block may be left over, which alone is not worth parity.
    assertTrue(report.crossRackDataBlocks() <= 1, report.grouping().toString());
    assertEquals(0, report.relocatedBlocks(), report.grouping().toString());
    assertTrue(report.grouping().order().crossRackDataBlocks() > 10, report.grouping().toString());
    for (int i = 0; i < 30; i++) {
      lab.assertReads("/across/" + i);
    }
    lab.assertClean("/across");
  }

  /** The whole life of a file, each part of it under another NameNode than the one before. */
  @Test
  void whatOneNameNodeBeganTheOtherFinishes() throws Exception {
    String path = "/life/f";
    lab.write(path, 11 * Lab.BLOCK + 77, 3, RANDOM);
    lab.failOver();
    lab.convertAll("rs-4-2", "/life");
    lab.assertConverted(path);
    lab.failOver();
    lab.assertReads(path);
    lab.assertClean("/life");
    int node = lab.homes(Movers.stripeOf(lab, path)).get(1);
    lab.hdfs.stopNode(node);
    lab.assertReadsDegraded(path);
    assertEquals(List.of(), lab.repair(path, "chain").unrepairable());
    lab.failOver();
    lab.assertReads(path);
    lab.startAll();
    lab.reportBlocks();
    lab.assertConverted(path);
    lab.assertTolerant(path);
    lab.assertClean("/life");
    try (Cluster cluster = lab.braid()) {
      cluster.restore(path, Progress.SILENT);
    }
    lab.failOver();
    lab.awaitReplicas(path, 3);
    lab.assertReads(path);
    assertEquals(List.of(), lab.fsck("/life").orphans());
  }

  /** One coordinator and one client without Braid over a failover. */
  @Test
  void coordinatorAndPlainClientsTurnToTheOtherNameNode() throws Exception {
    PlainClients clients = new PlainClients(lab, RANDOM);
    String path = clients.converted("/wait", 1).get(0);
    int node = clients.holder(clients.blocks(path).get(0));
    try (Watch watch = new Watch(lab, 3_600_000).awaitWatching()) {
      lab.failOver();
      assertTrue(
          Waiting.until(
              60_000,
              () -> {
                try (Cluster cluster = lab.braid()) {
                  return cluster.status("/wait").coordination().served();
                }
              }),
          "the coordinator does not turn to the other NameNode");
      clients.lose(List.of(node));
      byte[] first = Arrays.copyOf(lab.content(path), Lab.BLOCK);
      assertArrayEquals(first, clients.pread(path, Lab.BLOCK));
      assertTrue(watch.end().demanded() > 0);
    }
    lab.startAll();
    assertEquals(List.of(), lab.repair("/wait", "chain").unrepairable());
    lab.assertReads(path);
    lab.assertClean("/wait");
    lab.fs.delete(new Path("/wait"), true);
  }
}
