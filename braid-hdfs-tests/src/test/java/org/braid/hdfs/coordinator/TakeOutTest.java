package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.view.UsageReport;
import org.braid.hdfs.api.view.UsageRequest;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** An HDFS that runs without Braid for a while, and one that Braid is taken out of for good. */
final class TakeOutTest {
  private static final Random RANDOM = Seeds.random(TakeOutTest.class);

  private static void write(ClusterFixture fixture) throws IOException {
    fixture.write("/kept/a", 7 * ClusterFixture.BLOCK + 13, 3, RANDOM);
    fixture.write("/kept/deep/b", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.fs.setOwner(new Path("/kept/a"), "ann", "staff");
    fixture.fs.setPermission(new Path("/kept/a"), new FsPermission((short) 0640));
    fixture.fs.setTimes(new Path("/kept/a"), 1_000_000, 2_000_000);
    fixture.fs.setXAttr(new Path("/kept/a"), "user.colour", new byte[] {7});
  }

  /** What a user sees of all files and directories, attributes included. */
  private static Map<String, String> namespace(DistributedFileSystem fs, Path directory)
      throws IOException {
    Map<String, String> seen = new TreeMap<>();
    for (FileStatus status : fs.listStatus(directory)) {
      seen.put(
          status.getPath().toUri().getPath(),
          status.toString() + fs.getXAttrs(status.getPath()).keySet());
      if (status.isDirectory()) {
        seen.putAll(namespace(fs, status.getPath()));
      }
    }
    return seen;
  }

  private static boolean hasReplicas(DistributedFileSystem fs, String path, int replicas)
      throws IOException {
    for (BlockLocation block : fs.getFileBlockLocations(new Path(path), 0, Long.MAX_VALUE)) {
      if (block.getHosts().length != replicas) {
        return false;
      }
    }
    return true;
  }

  @Test
  void whatIsRestoredIsAsItWasAndStockHdfsHasNoTraceOfBraid() throws Exception {
    try (ClusterFixture fixture = new ClusterFixture(4, 8)) {
      write(fixture);
      Map<String, String> before = namespace(fixture.fs, new Path("/"));
      fixture.convertAll("rs-3-2", "/kept");
      fixture.assertConverted("/kept/a");
      try (Cluster cluster = fixture.braid()) {
        // HDFS counts parity as the files in /.braid, Braid as that of the files which it is for.
        UsageReport usage =
            cluster.usage(new UsageRequest("/", UsageRequest.By.DIRECTORY, 1), Progress.SILENT);
        assertEquals(
            fixture.fs.getContentSummary(new Path("/")).getSpaceConsumed(),
            usage.total().storedBytes());
        assertTrue(usage.total().savedBytes() > 0, usage.toString());
        cluster.restore("/", Progress.SILENT);
      }
      // What has no parity below it can be deleted as any other directory.
      assertTrue(fixture.fs.delete(new Path(BraidPaths.ROOT), true));
      assertEquals(before, namespace(fixture.fs, new Path("/")));
      fixture.hdfs.restartPlain();
      try (DistributedFileSystem stock = fixture.hdfs.fileSystem()) {
        assertEquals(before, namespace(stock, new Path("/")));
        // All replicas are there, and HDFS by itself keeps them.
        Await.until("all replicas", () -> hasReplicas(stock, "/kept/a", 3));
      }
      fixture.assertReads("/kept/a");
      fixture.assertReads("/kept/deep/b");
    }
  }

  @Test
  void withoutThePluginsForAWhileConvertedFilesAreReadAndRepairedAfterwards() throws Exception {
    try (ClusterFixture fixture = new ClusterFixture(4, 8)) {
      write(fixture);
      fixture.convertAll("rs-3-2", "/kept");
      fixture.hdfs.restartPlain();
      fixture.assertReads("/kept/a");
      try (DistributedFileSystem stock = fixture.hdfs.fileSystem()) {
        stock.rename(new Path("/kept/deep"), new Path("/kept/moved"));
      }
      fixture.hdfs.restartWithBraid();
      fixture.assertReads("/kept/a");
      // Copies that were to be deleted when the nodes stopped are there again, and stock HDFS chose
      // among them: where they fit in no other way, repair moves them.
      assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
      fixture.assertConverted("/kept/a");
      fixture.assertConverted("/kept/moved/b");
      fixture.hdfs.stopNode(fixture.homes(fixture.stripes().get(0)).get(0));
      assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
      fixture.assertReads("/kept/a");
      try (DistributedFileSystem fs = fixture.hdfs.fileSystem()) {
        assertArrayEquals(
            fixture.content("/kept/deep/b"), ClusterFixture.read(fs, "/kept/moved/b"));
      }
      fixture.assertTolerant("/kept/a");
      assertFalse(fixture.stripes().isEmpty());
    }
  }

  @Test
  void whoseParityWasDeletedMeanwhileIsNamed() throws Exception {
    try (ClusterFixture fixture = new ClusterFixture(4, 8)) {
      write(fixture);
      fixture.write("/replicated", ClusterFixture.BLOCK, 3, RANDOM);
      fixture.convertAll("rs-3-2", "/kept");
      fixture.hdfs.restartPlain();
      try (DistributedFileSystem stock = fixture.hdfs.fileSystem()) {
        assertTrue(stock.delete(new Path(BraidPaths.ROOT), true));
      }
      fixture.hdfs.restartWithBraid();
      try (Cluster cluster = fixture.braid()) {
        FsckReport report = cluster.fsck("/", Progress.SILENT);
        assertEquals(List.of("/kept/a", "/kept/deep/b"), report.unprotected());
        assertEquals(3, report.count(FsckReport.State.HEALTHY), report.toString());
      }
    }
  }
}
