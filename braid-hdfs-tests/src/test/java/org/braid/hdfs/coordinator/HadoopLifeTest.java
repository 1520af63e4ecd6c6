package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.util.RwLockMode;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.hadoop.HadoopVersion;
import org.braid.hdfs.testkit.embedded.EmbeddedLocks;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** The life of a file, short enough to run with each Hadoop that Braid runs in. */
final class HadoopLifeTest {
  private static final Random RANDOM = Seeds.random(HadoopLifeTest.class);

  /** The version that the build says it runs this with. */
  private static final String EXPECTED = "braid.hadoop.expected";

  @Test
  void aFileIsConvertedReadWithoutANodeRepairedAndRestored() throws Exception {
    assertEquals(System.getProperty(EXPECTED, VersionInfo.getVersion()), VersionInfo.getVersion());
    try (ClusterFixture fixture = new ClusterFixture(6, 8)) {
      live(fixture);
    }
  }

  @Test
  void theSameWithLocksOfFilesAndOfBlocks() throws Exception {
    HadoopVersion version = HadoopVersion.parse(VersionInfo.getVersion());
    assumeTrue(version.compareTo(HadoopVersion.NEWEST) >= 0, "Hadoop 3.4 has one lock");
    try (ClusterFixture fixture = new ClusterFixture(6, 8, EmbeddedLocks.finest())) {
      FSNamesystem namesystem = fixture.hdfs.nameNode().getNamesystem();
      namesystem.writeLock(RwLockMode.FS);
      try {
        assertFalse(namesystem.hasWriteLock(RwLockMode.BM));
      } finally {
        namesystem.writeUnlock(RwLockMode.FS, "test");
      }
      live(fixture);
    }
  }

  private static void live(ClusterFixture fixture) throws Exception {
    fixture.ear("/life", "rs-3-2");
    fixture.write("/life/f", 6 * ClusterFixture.BLOCK + 100, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/life/f");
    fixture.assertConverted("/life/f");
    fixture.assertReads("/life/f");
    fixture.hdfs.stopNode(fixture.heaviestNode());
    fixture.assertReadsDegraded("/life/f");
    assertEquals(List.of(), fixture.repair("/life/f", "chain").unrepairable());
    fixture.assertReads("/life/f");
    fixture.assertTolerant("/life/f");
    fixture.startAll();
    try (Cluster cluster = fixture.braid()) {
      assertEquals(3, cluster.restore("/life/f", Progress.SILENT).files().get(0).replication());
    }
    fixture.awaitReplicas("/life/f", 3);
    fixture.assertReads("/life/f");
    fixture.assertClean("/life/f");
  }
}
