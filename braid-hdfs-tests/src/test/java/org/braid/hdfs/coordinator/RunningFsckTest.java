package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testing.HeldFsck;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HDFS's {@code fsck -delete} that began while nothing was converted, and still runs. */
final class RunningFsckTest {
  private static final Random RANDOM = Seeds.random(RunningFsckTest.class);
  private static final String F = "/d/f";
  private static final String RUNS =
      "hdfs fsck -delete or -move is running there: nothing is dropped meanwhile";

  /** A stripe whose trim is tried again and again takes 38 s. */
  private static final Duration SOON = Duration.ofSeconds(20);

  @RegisterExtension static final SharedCluster fixture = new SharedCluster(6, 12);

  @BeforeAll
  static void prepare() throws Exception {
    HeldFsck.install(fixture.hdfs.nameNode());
  }

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.fs.delete(new Path(BraidPaths.POLICIES), true);
    fixture.deleteAll();
  }

  private static boolean lacksBlocks() throws Exception {
    return lacks(F);
  }

  /** Whether HDFS knows no copy of a block of a file. */
  private static boolean lacks(String path) throws Exception {
    return fixture.files(path).get(0).blocks().stream()
        .anyMatch(block -> block.replicas().stream().noneMatch(replica -> replica.live()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"delete", "move"})
  void whatIsConvertedMeanwhileKeepsItsReplicas(String how) throws Exception {
    fixture.write(F, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    try (HeldFsck fsck = HeldFsck.begin(fixture.hdfs.nameNode(), "/d", how)) {
      long begun = System.nanoTime();
      List<Skipped> skipped = fixture.convert("rs-3-2", F).skipped();
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      if (skipped.isEmpty()) {
        // What fsck then does to a file of which a node has died.
        fixture.hdfs.stopNode(fixture.homes(fixture.stripes().get(0)).get(0));
        Await.until("a block without a copy", RunningFsckTest::lacksBlocks);
      }
      assertTrue(fsck.end().contains("HEALTHY"), "files that were safe when fsck began are not");
      assertEquals(1, skipped.size(), skipped.toString());
      assertEquals(F, skipped.get(0).path());
      assertTrue(skipped.get(0).reason().contains(RUNS), skipped.toString());
      assertTrue(took.compareTo(SOON) < 0, took.toString());
    }
    fixture.assertReads(F);
    fixture.awaitReplicas(F, 3);
    fixture.convertAll("rs-3-2", F);
    fixture.assertConverted(F);
    fixture.assertClean(F);
  }

  @Test
  void whatIsElsewhereIsConverted() throws Exception {
    fixture.write(F, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/e/f", 10, 3, RANDOM);
    try (HeldFsck fsck = HeldFsck.begin(fixture.hdfs.nameNode(), "/e", "delete")) {
      fixture.convertAll("rs-3-2", F);
      assertTrue(fsck.end().contains("HEALTHY"));
    }
    fixture.assertConverted(F);
    fixture.assertClean(F);
  }

  @Test
  void policiesWaitForItsEnd() throws Exception {
    fixture.write(F, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    try (HeldFsck fsck = HeldFsck.begin(fixture.hdfs.nameNode(), "/d", "delete");
        Cluster cluster = fixture.braid()) {
      Policy all = Policy.of("all", true, Action.CONVERT, Map.of("path", "/d", "code", "rs-3-2"));
      cluster.policies().change("for a test", before -> before.with(new PolicySet(List.of(all))));
      try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 3_600_000)) {
        watch.await(RUNS);
        assertEquals(3, fixture.files(F).get(0).replication());
        assertTrue(fsck.end().contains("HEALTHY"));
        Await.until("the file to be converted", () -> fixture.files(F).get(0).replication() == 1);
      }
    }
    fixture.assertConverted(F);
    fixture.assertReads(F);
  }

  @Test
  void aFsckThatOnlyLooksHoldsNothingUp() throws Exception {
    fixture.write(F, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    try (HeldFsck fsck = HeldFsck.begin(fixture.hdfs.nameNode(), "/d", "files")) {
      fixture.convertAll("rs-3-2", F);
      assertTrue(fsck.end().contains("HEALTHY"));
    }
  }

  /** Ways to have a converted file come below a path, with what of it is there then. */
  enum Way {
    RENAME,
    RENAME_ONTO,
    RENAME_DIRECTORY,
    WEBHDFS;

    void go() throws Exception {
      switch (this) {
        case RENAME -> fixture.fs.rename(new Path("/e/f"), new Path(F));
        case RENAME_ONTO ->
            FileContext.getFileContext(fixture.fs.getUri(), fixture.hdfs.configuration())
                .rename(new Path("/e/f"), new Path("/d/there"), Options.Rename.OVERWRITE);
        case RENAME_DIRECTORY -> fixture.fs.rename(new Path("/e"), new Path("/d"));
        case WEBHDFS -> {
          URI uri =
              URI.create(
                  "webhdfs://"
                      + NetUtils.getHostPortString(fixture.hdfs.nameNode().getHttpAddress()));
          try (FileSystem web = FileSystem.newInstance(uri, fixture.hdfs.configuration())) {
            web.rename(new Path("/e/f"), new Path(F));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void nothingConvertedComesBelowItsPath(Way way) throws Exception {
    fixture.write("/e/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/plain", 10, 3, RANDOM);
    fixture.write("/d/there", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/e");
    boolean loses = way == Way.RENAME; // what fsck would delete; that takes some time
    int lost = fixture.homes(fixture.stripes().get(0)).get(0);
    if (loses) {
      fixture.hdfs.stopNode(lost);
    }
    try (HeldFsck fsck = HeldFsck.begin(fixture.hdfs.nameNode(), "/d", "delete")) {
      String refusal =
          String.valueOf(assertThrows(AccessControlException.class, way::go).getMessage());
      assertTrue(refusal.contains("while hdfs fsck -delete or -move runs at /d"), refusal);
      assertTrue(fixture.fs.rename(new Path("/e/f"), new Path("/e/g")), "elsewhere it may go");
      assertTrue(fixture.fs.rename(new Path("/plain"), new Path("/d/plain")));
      if (loses) {
        fixture.hdfs.awaitDead(lost);
        Await.until("a block without a copy", () -> lacks("/e/g"));
      }
      assertTrue(fsck.end().contains("HEALTHY"));
    }
    assertEquals(List.of(), fixture.repair("/e", "chain").unrepairable());
    assertArrayEquals(fixture.content("/e/f"), ClusterFixture.read(fixture.fs, "/e/g"));
    assertTrue(fixture.fs.rename(new Path("/e/g"), new Path("/e/f")));
    way.go();
    fixture.fs.delete(new Path("/d"), true);
  }

  /** HDFS joins files of one directory, and fsck can be told of one file. */
  @Test
  void nothingConvertedIsJoinedToItsFile() throws Exception {
    fixture.write(F, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/d/there", ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", F);
    Path there = new Path("/d/there");
    try (HeldFsck fsck = HeldFsck.begin(fixture.hdfs.nameNode(), "/d/there", "delete")) {
      String refusal =
          String.valueOf(
              assertThrows(
                      AccessControlException.class,
                      () -> fixture.fs.concat(there, new Path[] {new Path(F)}))
                  .getMessage());
      assertTrue(refusal.contains("while hdfs fsck -delete or -move runs at /d/there"), refusal);
      assertTrue(fsck.end().contains("HEALTHY"));
    }
    fixture.assertConverted(F);
    fixture.fs.concat(there, new Path[] {new Path(F)});
  }
}
