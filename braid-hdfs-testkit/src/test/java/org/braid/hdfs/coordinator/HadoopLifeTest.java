package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.util.VersionInfo;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
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
}
