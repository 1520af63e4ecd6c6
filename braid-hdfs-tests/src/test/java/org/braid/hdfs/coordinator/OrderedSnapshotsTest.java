package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** HDFS's collector of snapshots deletes within the NameNode, where nobody is asked. */
final class OrderedSnapshotsTest {
  private static final Random RANDOM = Seeds.random(OrderedSnapshotsTest.class);

  @Test
  void nothingIsConvertedWhereHdfsDeletesSnapshotsByItself() throws Exception {
    try (ClusterFixture fixture =
        new ClusterFixture(6, 6, Map.of("dfs.namenode.snapshot.deletion.ordered", "true"))) {
      fixture.write("/d/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
      List<Skipped> skipped = fixture.convert("rs-3-2", "/d").skipped();
      assertEquals(1, skipped.size(), skipped.toString());
      assertEquals("ORDERED_SNAPSHOTS", skipped.get(0).cause());
      assertTrue(skipped.get(0).reason().contains("turn it off first"), skipped.toString());
      assertEquals(List.of(), fixture.stripes());
    }
  }
}
