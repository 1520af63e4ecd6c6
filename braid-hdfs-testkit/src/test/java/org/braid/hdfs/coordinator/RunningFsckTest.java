package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testing.HeldFsck;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HDFS's {@code fsck -delete} that began while nothing was converted, and still runs. */
final class RunningFsckTest {
  private static final Random RANDOM = Seeds.random(RunningFsckTest.class);
  private static final String F = "/d/f";
  private static final String RUNS =
      "hdfs fsck -delete or -move is running: nothing is dropped meanwhile";

  /** A stripe whose trim is tried again and again takes 38 s. */
  private static final Duration SOON = Duration.ofSeconds(20);

  private static ClusterFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    fixture = new ClusterFixture(6, 12);
    HeldFsck.install(fixture.hdfs.nameNode());
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.fs.delete(new Path(BraidPaths.POLICIES), true);
    fixture.deleteAll();
  }

  /** Whether HDFS knows no copy of a block of the file. */
  private static boolean lacksBlocks() throws Exception {
    return fixture.files(F).get(0).blocks().stream()
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

  /** All is trimmed when it begins elsewhere; what is left to be done cannot be taken back. */
  @Test
  void noReplicationIsPersistedMeanwhile() throws Exception {
    fixture.write(F, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.write("/e/f", 10, 3, RANDOM);
    AtomicReference<HeldFsck> fsck = new AtomicReference<>();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.CONVERT_TRIMMED) {
            fsck.set(HeldFsck.begin(fixture.hdfs.nameNode(), "/e", "delete"));
          }
        });
    List<Skipped> skipped = fixture.convert("rs-3-2", F).skipped();
    InjectedFaults.clear();
    assertTrue(fsck.get().end().contains("HEALTHY"));
    assertEquals(1, skipped.size(), skipped.toString());
    assertTrue(skipped.get(0).reason().contains(RUNS), skipped.toString());
    assertEquals(3, fixture.files(F).get(0).replication());
    fixture.convertAll("rs-3-2", F);
    fixture.assertConverted(F);
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
}
