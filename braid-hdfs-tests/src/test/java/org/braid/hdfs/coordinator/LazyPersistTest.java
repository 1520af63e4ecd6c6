package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * HDFS deletes files of the storage policy LAZY_PERSIST of which a block has no copy, within the
 * NameNode: converted files and parity of which that is said stay, others go as on stock HDFS.
 */
final class LazyPersistTest {
  private static final Random RANDOM = Seeds.random(LazyPersistTest.class);
  private static final String POLICY = "LAZY_PERSIST";
  private static final String F = "/d/f";
  private static final int PLAIN_FILES = 24;

  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(6, 6, Map.of("dfs.namenode.lazypersist.file.scrub.interval.sec", "1"));

  @AfterEach
  void clear() throws Exception {
    fixture.startAll();
    fixture.fs.unsetStoragePolicy(new Path("/"));
    fixture.deleteAll();
  }

  private static boolean hasLost(StoredFile file) {
    return file.blocks().stream().anyMatch(b -> b.replicas().stream().noneMatch(r -> r.live()));
  }

  private static String convert() throws Exception {
    fixture.write(F, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    assertEquals(List.of(), fixture.convert("rs-3-2", F).skipped());
    return Movers.stripeOf(fixture, F).parityPath();
  }

  private static void lose(int node) throws Exception {
    fixture.hdfs.stopNode(node);
    fixture.hdfs.awaitDead(node);
  }

  /** What HDFS would have deleted goes with the first scan after this. */
  private static void assertStays(String parity) throws Exception {
    TimeUnit.SECONDS.sleep(4); // scans of HDFS's take place each second
    assertTrue(fixture.fs.exists(new Path(F)));
    assertTrue(fixture.fs.exists(new Path(parity)));
    assertEquals(List.of(), fixture.repair("/d", "chain").unrepairable());
    fixture.assertReads(F);
    fixture.assertTolerant("/d");
  }

  @Test
  void aConvertedFileStays() throws Exception {
    String parity = convert();
    fixture.fs.setStoragePolicy(new Path("/d"), POLICY);
    lose(fixture.homes(Movers.stripeOf(fixture, F)).get(0));
    Await.until("a block without a copy", () -> hasLost(fixture.files(F).get(0)));
    assertStays(parity);
  }

  @Test
  void parityStays() throws Exception {
    String parity = convert();
    fixture.fs.setStoragePolicy(new Path("/"), POLICY);
    lose(fixture.homes(Movers.stripeOf(fixture, F)).get(3));
    Await.until(
        "parity without a copy",
        () -> fixture.hdfs.nameNode().getNamesystem().getMissingReplOneBlocksCount() > 0);
    assertTrue(parity.startsWith(BraidPaths.STRIPES));
    assertStays(parity);
  }

  @Test
  void otherFilesGoAsOnStockHdfs() throws Exception {
    convert();
    List<String> plain = new ArrayList<>();
    for (int i = 0; i < PLAIN_FILES; i++) {
      plain.add("/memory/f" + i);
      fixture.write(plain.get(i), 10, 1, RANDOM);
    }
    fixture.fs.setStoragePolicy(new Path("/memory"), POLICY);
    String node = fixture.files(plain.get(0)).get(0).blocks().get(0).replicas().get(0).node();
    List<String> on = new ArrayList<>();
    for (StoredFile file : fixture.files("/memory")) {
      if (file.blocks().get(0).replicas().get(0).node().equals(node)) {
        on.add(file.path());
      }
    }
    lose(fixture.hdfs.indexOf(node).orElseThrow());
    for (String path : on) {
      Await.until(path + " to be deleted", () -> !fixture.fs.exists(new Path(path)));
    }
    for (String path : plain) {
      assertEquals(!on.contains(path), fixture.fs.exists(new Path(path)), path);
    }
    assertFalse(on.isEmpty());
  }
}
